/* The devices that count events, "performance monitoring units" (PMU), and the events that they
 * name: "msr/tsc/", "cpu/event=0x3c,umask=0x0/". See
 * Documentation/ABI/testing/sysfs-bus-event_source-* in the Linux source. */
#ifndef MACHINE_DEVICE_H
#define MACHINE_DEVICE_H

#include "common/event/attr.h"

/* The folder in which the kernel lists the devices. */
#define DEVICES "/sys/bus/event_source/devices"

/* Return true if the folder `devices` has a device with this name. */
bool device_exists(const char *devices, struct span device);

/* Set type, config, config1, config2 and period of an event by the terms between the slashes: each
 * is the name of an event of the device, or FIELD=NUMBER, or FIELD for FIELD=1. Return NULL, or
 * what is wrong, in the arena. */
const char *device_event(const char *devices, struct span device, struct span terms,
                         struct event *e, struct arena *a);

/* Call f(ctx, "msr/tsc/") for each event that a device names, in alphabetical order. */
void device_each(const char *devices, void (*f)(void *ctx, struct span name), void *ctx);

#endif
