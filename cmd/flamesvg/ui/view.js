/* Changes of what is shown. Each one that a user asks for is a step of the history. */

/* Reads the profile if that has not been done. */
function profileOf(graph) {
    graph.profile ??= readProfile(graph);
    return graph.profile;
}

/* Makes the table of the state's steps. */
function rebuild(graph) {
    profileOf(graph);
    graph.takeTable?.();
    graph.table = transform(graph, graph.state.steps);
    graph.inverted = graph.state.icicle;
    graph.zoomed = graph.current = ROOT;
    graph.match = graph.hovered = NO_FRAME;
    graph.lowestRow = 0;
    graph.highestRow = graph.table === graph.profile.table ? graph.fileRows - 1 : 0;
    markNames(graph);
}

/* Draws the visible frames: where nothing but their colours has changed, this is all. */
function paint(graph) {
    painter.draw(graph, makeDisplay(graph));
    outline(graph);
}

/* Draws what is shown. Rows that are added above the root do not move it on the screen. */
function redraw(graph) {
    if (!graph.table)
        rebuild(graph);
    const height = rowsHeight(graph);
    graph.shown = visibleFrames(graph);
    extendRows(graph, graph.shown);
    graph.byRow = shownByRow(graph);
    painter.resize(graph);
    paint(graph);
    const grown = rowsHeight(graph) - height;
    if (grown && graph.drawn && !graph.inverted)
        scrollRows(graph, grown);
    graph.drawn = true;
    hideTip(graph); /* its frame may have moved, and its shares are of what was shown */
    showMatched(graph);
    showState(graph);
    afterPaint(() => updateTree(graph));
}

/* The outlines of the frame under the pointer, and of the one that has the focus or is the match. */
function outline(graph) {
    const hovered = graph.hovered === NO_FRAME ? null : boxOf(graph, graph.hovered);
    const marked = graph.match !== NO_FRAME ? graph.match
        : graph.byKeys && hasFocus(graph) ? graph.current
            : graph.lowestRow < 0 ? ROOT : NO_FRAME; /* the function between callers and callees */
    painter.outline(graph, 'hover', hovered);
    painter.outline(graph, 'focus', marked === NO_FRAME ? null : boxOf(graph, marked));
}

function zoom(graph, view) {
    if (!graph.table)
        rebuild(graph);
    if (!(graph.table.width[view] > 0))
        return false;
    graph.zoomed = view;
    if (!boxOf(graph, graph.current))
        graph.current = view;
    if (graph.match !== NO_FRAME && !isWithin(graph.table, graph.match, view))
        graph.match = NO_FRAME;
    redraw(graph);
    return true;
}

/* A zoom that the user asked for. */
function zoomTo(graph, view) {
    const before = graph.zoomed;
    if (zoom(graph, view) && view !== before)
        writeAddress(graph, 'pushState');
}

/* Sets some of the state, and draws what then is shown from the root on. */
function change(graph, changes) {
    Object.assign(graph.state, changes);
    const { pointer } = graph;
    rebuild(graph);
    redraw(graph);
    scrollToRoot(graph);
    if (pointer)
        hover(graph, frameOf(graph, pointer), pointer); /* what is there now */
    writeAddress(graph, 'pushState');
}

/* Adds a step about a frame's function. One about the same is not needed twice. */
function addStep(graph, kind, name) {
    const steps = graph.state.steps.filter(step => step.kind !== kind || step.name !== name);
    change(graph, { steps: [...steps, { kind, name }] });
}

function addFrameStep(graph, kind, frame) {
    if (frame > ROOT || graph.table.row[frame] !== 0)
        addStep(graph, kind, graph.profile.names[graph.table.name[frame]]);
}

function toggleKind(graph, name) {
    const { steps } = graph.state;
    const others = steps.filter(step => step.kind !== 'kind' || step.name !== name);
    change(graph, { steps: others.length < steps.length ? others : [...steps, { kind: 'kind', name }] });
}

/* Takes back zoom, steps and switches. The search stays. */
function reset(graph) {
    const { term, anyCase, plain } = graph.state;
    const { fileInverted: icicle, fileSize: size, fileReversed: leaf } = graph;
    if (isChanged(graph))
        change(graph, { ...emptyState(), term, anyCase, plain, icicle, size, leaf });
    else
        zoomTo(graph, ROOT);
}

/* Whether steps or switches differ from the file's picture. */
function isChanged(graph) {
    const { steps, ranges, leaf, size, icicle, colour } = graph.state;
    return steps.length > 0 || ranges.length > 0 || leaf !== graph.fileReversed || size !== graph.fileSize || icicle !== graph.fileInverted ||
        colour !== 'palette';
}

/* Takes back the last thing: what is open, the search, the zoom, a step. */
function stepBack(graph) {
    const { steps, ranges, term } = graph.state;
    if (closeOverlay(graph) || graph.takeBackMark?.())
        return;
    if (term)
        search(graph, '');
    else if (graph.zoomed !== ROOT)
        zoomTo(graph, ROOT);
    else if (steps.length > 0)
        change(graph, { steps: steps.slice(0, -1) });
    else if (ranges.length > 0)
        change(graph, { ranges: [] });
}

function zoomOut(graph) {
    const caller = graph.table ? graph.table.parent[graph.zoomed] : NO_FRAME;
    if (caller === NO_FRAME)
        return false;
    graph.current = caller;
    zoomTo(graph, caller);
    return true;
}
