/* Network addresses and UUIDs as text, as the kernel's %p with more letters prints them. */
#ifndef TRACEPOINT_TRACEADDR_H
#define TRACEPOINT_TRACEADDR_H

#include "common/base/text.h"

/* Return how many of the letters after %p say how to print an address; 0 if they do not.
 *
 *     I4 i4           192.0.2.1
 *     I6 i6           2001:0db8:0000:...:0001, i6 without colons; I6c: 2001:db8::1
 *     IS, ISc, ISpc   a struct sockaddr: as I4, I6, I6c; p: with the port, [2001:db8::1]:80
 *     M m             00:01:02:aa:bb:cc, m without colons; MF with "-"; MR, mR last byte first
 *     U Ub UB Ul UL   a UUID; capital: in capitals; l: its first three numbers are little-endian */
size_t traceaddr_letters(struct span letters);

/* Append the address that the bytes hold; `letters` as above and no more. Bytes that are missing
 * count as 0. */
void traceaddr_print(struct text *out, struct span letters, struct span bytes);

#endif
