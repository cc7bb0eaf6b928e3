/* The mouse, the pen and the finger. */

const LONG_PRESS = 500; /* milliseconds */

/* The frame that an event is on, or NO_FRAME. Reads the profile if need be. */
function frameOf(graph, event) {
    if (graph.box?.contains(event.target))
        return NO_FRAME;
    if (!graph.table)
        redraw(graph);
    const { x, y } = painter.position(graph, event);
    return frameAt(graph, x, y);
}

/* Follows the link of a frame that has one, unless Ctrl asks for the zoom; else zooms. */
function activate(graph, frame, event) {
    const link = graph.profile.attributes.get(graph.table.name[frame]);
    if (link?.href && !event.ctrlKey && !event.metaKey) {
        const anchor = makeElement('a', { href: link.href, target: link.target || null, rel: 'noopener' });
        graph.layer.append(anchor);
        anchor.click();
        anchor.remove();
        return;
    }
    graph.current = frame;
    zoomTo(graph, frame);
}

function inLayer(graph, event) {
    const origin = graph.layer.getBoundingClientRect();
    return { x: event.clientX - origin.left, y: event.clientY - origin.top };
}

function hover(graph, frame, event) {
    graph.pointer = frame === NO_FRAME ? null : event;
    if (frame !== graph.hovered) {
        graph.hovered = frame;
        outline(graph);
        if (frame === NO_FRAME)
            clearDetails(graph);
        else
            showDetails(graph, frame);
        graph.area.style.cursor = frame === NO_FRAME ? '' : 'pointer';
    }
    if (frame === NO_FRAME || graph.overlay) {
        hideTip(graph);
    } else {
        const { x, y } = inLayer(graph, event);
        showTip(graph, frame, x, y);
    }
}

/* The browser follows a link that it knows of itself. */
function onClick(graph, event) {
    if (graph.longPressed || graph.box?.contains(event.target) || (graph.overlay && closeOverlay(graph)))
        return; /* the end of a long press is a click in some browsers */
    const frame = frameOf(graph, event);
    const touched = event.pointerType === 'touch';
    const first = touched && graph.tapped !== frame; /* the first tap only describes a frame */
    graph.tapped = frame;
    if (frame === NO_FRAME || first)
        return;
    const linked = event.target.closest('a') && !event.ctrlKey && !event.metaKey;
    if (linked)
        return;
    event.preventDefault();
    activate(graph, frame, event);
    focusSoon(graph);
}

function onContextMenu(graph, event) {
    const frame = frameOf(graph, event);
    if (frame === NO_FRAME || event.shiftKey)
        return; /* the browser's own menu */
    event.preventDefault();
    const { x, y } = inLayer(graph, event);
    graph.current = frame;
    openFrameMenu(graph, frame, x, y);
}

/* Not all browsers send a contextmenu event after a long touch. */
function onPointerDown(graph, event) {
    clearTimeout(graph.pressTimer);
    graph.longPressed = graph.byKeys = false;
    if (event.pointerType !== 'touch')
        return;
    hover(graph, frameOf(graph, event), event);
    graph.pressTimer = setTimeout(() => {
        graph.longPressed = true;
        onContextMenu(graph, event);
    }, LONG_PRESS);
}

function onPointerMove(graph, event) {
    if (event.pointerType === 'touch')
        return;
    if (graph.box?.contains(event.target))
        hover(graph, NO_FRAME, event);
    else
        hover(graph, frameOf(graph, event), event);
}

/* A finger that scrolls the page does not press. */
function endPress(graph) {
    clearTimeout(graph.pressTimer);
}

function listenToPointer(graph) {
    const { area } = graph;
    const on = (type, act) => area.addEventListener(type, event => act(graph, event));
    on('click', onClick);
    on('contextmenu', onContextMenu);
    on('pointerdown', onPointerDown);
    on('pointermove', onPointerMove);
    for (const type of ['pointerup', 'pointercancel'])
        on(type, endPress);
    on('pointerleave', (_, event) => event.pointerType !== 'touch' && hover(graph, NO_FRAME, event));
}
