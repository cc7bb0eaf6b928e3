/* The ranges of time that the user marks in the heat map, by dragging, with two clicks or with keys. */

/* Those that are chosen, and in place of one of them the one that is being marked. */
function rangesOfHeat(graph) {
    const { heat, state: { ranges } } = graph;
    if (heat.anchor === NO_CELL)
        return ranges;
    const range = rangeOfCells(graph, heat.anchor, heat.cursor);
    return heat.second && ranges.length > 0 ? [ranges[0], range] : [range];
}

const NO_CELL = -1;

function secondsText(ms) {
    return (ms / 1000).toFixed(3) + ' s';
}

function countOfRange({ slices }, [from, to]) {
    let sum = 0;
    for (let i = entryOf(slices, from), end = entryOf(slices, to); i < end; i++)
        sum += slices.count[i];
    return sum;
}

/* "1.240 s to 1.760 s: 1,234 samples", since the recording began. */
function describeRange(graph, [from, to]) {
    const { length } = graph.slices;
    return `${secondsText(from * length)} to ${secondsText(to * length)}: ` +
        countText(graph, countOfRange(graph, [from, to]));
}

/* What the line below the heat map says, by the ranges that are drawn. */
function showRanges(graph, ranges) {
    const { heat } = graph;
    const names = ranges.length > 1 ? ['before: ', 'after: '] : [''];
    const parts = ranges.map((range, n) => {
        const option = '--time ' + rangeText(graph.slices, range);
        return makeElement('span', { title: 'perf-script ' + option }, squareOf(marksOf(graph)[n]),
            names[n] + describeRange(graph, range) + ' (' + option + ')');
    });
    if (ranges.length === 0)
        parts.push(makeElement('span', {}, (heat.byThread ? 'Click a thread for its stacks alone; drag' : 'Drag, or click twice,') +
            ' for a range of time; with Ctrl for one to compare with it'));
    const key = heat.trouble + isDark(graph) + parts.map(part => part.textContent).join();
    if (heat.key === key)
        return;
    heat.key = key;
    heat.says.replaceChildren(...heat.trouble ? [heat.trouble] : parts);
    show(heat.all, ranges.length > 0);
}

/* Shows the range alone; the second one compared with the first. Where nothing was seen, there is nothing to show. */
function chooseRange(graph, range, second) {
    const { heat, state: { ranges } } = graph;
    heat.anchor = NO_CELL;
    heat.trouble = hasCounts(graph.slices, range) ? '' : 'Nothing was seen there';
    if (heat.trouble)
        drawHeat(graph);
    else
        change(graph, { ranges: second && ranges.length > 0 ? [ranges[0], range] : [range] });
}

function setCursor(graph, cell, event) {
    const { heat } = graph;
    heat.cursor = Math.min(Math.max(cell, 0), cellCount(heat.layout) - 1);
    heat.second = event.ctrlKey || event.metaKey;
    heat.trouble = '';
    const text = (heat.byThread ? describeThread(graph, heat.cursor) + '; all threads, ' : '') +
        describeRange(graph, rangeOfCells(graph, heat.cursor, heat.cursor));
    setAttributes(heat.canvas, { 'aria-valuenow': heat.cursor, 'aria-valuemax': cellCount(heat.layout) - 1,
        'aria-valuetext': text, title: text });
    drawHeatSoon(graph);
}

function cellOfEvent(graph, event) {
    const at = graph.heat.canvas.getBoundingClientRect();
    return cellAt(graph.heat.layout, event.clientX - at.left, event.clientY - at.top);
}

/* A first click, without a drag, begins a range that the next click ends, or chooses a thread. */
function listenToMarks(graph) {
    const { heat } = graph;
    const { canvas } = heat;
    let isFirst = false;
    canvas.addEventListener('pointerdown', event => {
        if (event.button > 0)
            return;
        canvas.setPointerCapture(event.pointerId);
        const cell = cellOfEvent(graph, event);
        isFirst = heat.anchor === NO_CELL;
        if (isFirst)
            heat.anchor = cell;
        heat.isFocused = graph.byKeys = false;
        setCursor(graph, cell, event);
    });
    canvas.addEventListener('pointermove', event => {
        setCursor(graph, cellOfEvent(graph, event), event);
    });
    canvas.addEventListener('pointerup', event => {
        if (event.button > 0)
            return;
        const cell = cellOfEvent(graph, event);
        if (heat.anchor !== NO_CELL && heat.byThread && isFirst && cell === heat.anchor) {
            takeBackMark(graph);
            chooseThread(graph, cell);
        } else if (heat.anchor !== NO_CELL && (!isFirst || cell !== heat.anchor))
            chooseRange(graph, rangeOfCells(graph, heat.anchor, cell), event.ctrlKey || event.metaKey);
    });
    canvas.addEventListener('pointercancel', () => takeBackMark(graph));
    canvas.addEventListener('contextmenu', event => event.ctrlKey && event.preventDefault());
    canvas.addEventListener('keydown', event => onHeatKey(graph, event));
    for (const type of ['focus', 'blur'])
        canvas.addEventListener(type, () => {
            heat.isFocused = type === 'focus' && canvas.matches(':focus-visible');
            drawHeatSoon(graph);
        });
}

/* Takes back the range that is being marked; false if there is none. */
function takeBackMark(graph) {
    const { heat } = graph;
    if (!heat || heat.anchor === NO_CELL)
        return false;
    heat.anchor = NO_CELL;
    drawHeatSoon(graph);
    return true;
}

function allOfTime(graph) {
    if (graph.state.ranges.length > 0)
        change(graph, { ranges: [] });
}

/* Enter begins a range and ends it, with Ctrl one to compare; f shows the thread alone; Escape goes back to all. */
function onHeatKey(graph, event) {
    const { heat } = graph;
    const { rows, counts } = heat.layout;
    const steps = { ArrowLeft: -rows, ArrowRight: rows, ArrowUp: 1, ArrowDown: -1, Home: -counts.length, End: counts.length };
    heat.isFocused = graph.byKeys = true;
    if (Object.hasOwn(steps, event.key))
        setCursor(graph, heat.cursor + steps[event.key], event);
    else if (event.key === 'Escape')
        takeBackMark(graph) || allOfTime(graph);
    else if (event.key === 'f' && heat.byThread)
        chooseThread(graph, heat.cursor);
    else if (event.key !== 'Enter' && event.key !== ' ')
        return;
    else if (heat.anchor !== NO_CELL)
        chooseRange(graph, rangeOfCells(graph, heat.anchor, heat.cursor), event.ctrlKey || event.metaKey);
    else {
        heat.anchor = heat.cursor;
        setCursor(graph, heat.cursor, event);
    }
    event.preventDefault();
    event.stopPropagation();
}

/* The cells with their counts, threads and kinds, and their middles in pixels of the window, for tests. */
function cellsOf(graph) {
    const { layout, canvas } = graph.heat;
    const at = canvas.getBoundingClientRect();
    return Array.from(layout.counts, (count, cell) => {
        const { x, y } = placeOfCell(layout, cell);
        const range = rangeOfCells(graph, cell, cell);
        const thread = layout.threads ? nameOfThread(graph, threadOfCell(layout, cell)) : '';
        const kind = layout.threads ? graph.profile.kindNames[layout.kindOf(cell)] : '';
        return { range, time: rangeText(graph.slices, range), count, thread, kind,
            x: at.left + x + layout.width / 2, y: at.top + y + layout.height / 2 };
    });
}

function openHeat(graph) {
    const { heat } = graph;
    heat.isOpen = true;
    heat.isFocused = heat.canvas.matches(':focus-visible');
    drawHeat(graph);
    listenToMarks(graph);
}

/* The heat map of a profile with slices; null without. The slices are decoded when the graph is on the screen, or
 * when something asks for them. */
function makeHeat(graph) {
    const { time, slices } = profileOf(graph);
    if (!slices)
        return null;
    const says = makeElement('span', { 'aria-live': 'polite' });
    const all = makeButton('Whole recording', 'Undo the ranges (Escape)', () => allOfTime(graph));
    const toggle = makeToggle('By thread', 'threads', 'Rows of threads over time, coloured by kind of code (t)',
        () => toggleThreads(graph));
    const canvas = makeElement('canvas', { role: 'slider', tabindex: 0, 'aria-label': 'Time', 'aria-valuemin': 0, 'aria-valuenow': 0 });
    const node = makeElement('div', { class: 'heat' }, canvas, makeElement('div', { class: 'ranges' }, toggle, all, says));
    let decoded = null;
    Object.defineProperty(graph, 'slices', { get: () => decoded ??= decodeSlices(time, slices) });
    graph.takeTable = () => {
        graph.heat.trouble = '';
        takeRanges(graph);
    };
    graph.takeBackMark = () => takeBackMark(graph);
    graph.rangesText = () => rangesText(graph);
    graph.readRanges = text => readRanges(graph, text);
    graph.model = { cells: () => cellsOf(graph) };
    graph.heat = { node, canvas, says, all, toggle, byThread: false, layout: null, image: null, imageKey: '', drawing: null, key: '', trouble: '', isFocused: false,
        isOpen: false, cursor: 0, anchor: NO_CELL, second: false };
    show(toggle, !graph.fileReversed);
    style(canvas, { height: HEAT_HEIGHT + AXIS_HEIGHT + 'px' });
    KEYS.t = () => document.activeElement === canvas ? toggleThreads(graph) : canvas.focus({ preventScroll: true });
    HELP.push(['t', 'go to the heat map: arrows, Enter twice for a range (Ctrl-Enter: compare); again: threads, f for one alone']);
    afterPaint(() => openHeat(graph));
    return node;
}
