/* What can wait until the user sees the picture. */

export { afterPaint };

/* Calls act() when what is drawn now is on the screen: a paint is over when the frame after it begins. */
function afterPaint(act) {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(act)));
}
