/* The frames of the picture, read from its nodes:
 *
 *     <g>                            <a> if the frame is a link
 *       <title>name (1,234 samples, 12.34%)</title>
 *       <rect x y width data-x data-w/>        data-: start and width in counts
 *       <text x>na..</text> */

/* The length of the name in "name (1,234 samples, 12.34%)"; it may hold parentheses itself. A title
 * that --nameattr has replaced is all name. */
function nameLength(title, units) {
    const unit = Math.max(...units.map(one => title.lastIndexOf(' ' + one + ', ')));
    const open = unit < 0 ? -1 : title.lastIndexOf(' (', unit);
    return open < 0 ? title.length : open;
}

/* A level is larger for a callee than for its caller, whether the picture grows up or down. */
function readFrame(node, units, down) {
    const rect = node.firstElementChild.nextElementSibling;
    const text = rect.nextElementSibling;
    const title = node.firstElementChild.textContent;
    const end = nameLength(title, units);
    const home = { /* as in the file */
        x: rect.getAttribute('x'), y: rect.getAttribute('y'),
        width: rect.getAttribute('width'),
        textX: text.getAttribute('x'),
        label: text.textContent,
    };
    return {
        node, rect, text, home,
        name: title.slice(0, end), counts: title.slice(end),
        x: Number(rect.getAttribute('data-x')),
        w: Number(rect.getAttribute('data-w')),
        level: Number(home.y) * down,
        label: home.label, shown: true, matched: false,
    };
}

/* Sorts the frames in preorder: left to right and parents first. The descendants of a frame are then
 * those from index + 1 up to its end. */
function linkFrames(frames) {
    const open = []; /* the ancestors of the current frame, root first */
    frames.sort((a, b) => a.x - b.x || a.level - b.level);
    frames.forEach((frame, index) => {
        while (open.length > 0 && open[open.length - 1].level >= frame.level)
            open.pop().end = index;
        frame.index = index;
        frame.end = frames.length; /* until a later frame closes it */
        frame.parent = open[open.length - 1];
        open.push(frame);
    });
}
