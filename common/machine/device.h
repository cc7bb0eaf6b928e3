/* The devices that count events, "performance monitoring units" (PMU), and their events, such as
 * "msr/tsc/" and "cpu/event=0x3c,umask=0x0/". See
 * Documentation/ABI/testing/sysfs-bus-event_source-* in the Linux source. */
#ifndef MACHINE_DEVICE_H
#define MACHINE_DEVICE_H

#include "common/event/attr.h"

/* The folder in which the kernel lists the devices. */
#define DEVICES "/sys/bus/event_source/devices"

/* Return true if the folder `devices` has a device with this name. */
bool device_exists(const char *devices, struct span device);

/* Set type, config, config1, config2 and period of an event from the terms between the slashes.
 * Each term is the name of an event of the device, or FIELD=NUMBER, or FIELD for FIELD=1. Return
 * NULL, or a message in the arena. */
const char *device_event(const char *devices, struct span device, struct span terms,
                         struct event *e, struct arena *a);

/* Call f(ctx, "msr/tsc/") for each named event of each device, in alphabetical order. */
void device_each(const char *devices, void (*f)(void *ctx, struct span name), void *ctx);

#endif
