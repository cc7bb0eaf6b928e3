/* Makes a flame graph interactive: details, zoom, search, keys, an address that restores the view.
 *
 * The picture is complete without this script, which reads this of it:
 *
 *     <svg viewBox data-xpad data-fontsize data-fontwidth data-inverted data-nametype
 *          data-countname data-units data-truncate>
 *       <text id="details"/>             also unzoom, search, ignorecase, matched
 *       <g id="frames">
 *         <g>                            <a> if the frame is a link
 *           <title>name (1,234 samples, 12.34%)</title>
 *           <rect x y width data-x data-w/>        data-: start and width in counts
 *           <text x>na..</text>
 *
 * Everything is read once, at load; later the picture is only written to and never measured, so that
 * 50,000 frames cause no layout except the browser's own. Text of the file is only ever assigned to
 * textContent, so it cannot become markup. The script comes after the frames in the file. All state
 * is in one object, graph, that each function gets, since a page may show several pictures. */
(function () {
'use strict';

const TEXT_PAD = 3; /* pixels between a frame's edge and its text, as in the file */
const MIN_CHARS = 3; /* shorter texts are left out */
const FIELD_WIDTH = 240;

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

function readGraph(svg) {
    const data = svg.dataset;
    const part = id => svg.querySelector('#' + id);
    const inverted = data.inverted === '1';
    const xpad = Number(data.xpad);
    const units = data.units ? data.units.split(' ') : [data.countname];
    const frames = Array.from(part('frames').children,
        node => readFrame(node, units, inverted ? 1 : -1));
    linkFrames(frames);
    return {
        svg, frames, inverted, xpad,
        room: svg.viewBox.baseVal.width - 2 * xpad, /* pixels for frames */
        fontSize: Number(data.fontsize),
        charWidth: Number(data.fontsize) * Number(data.fontwidth),
        cutLeft: data.truncate === 'left',
        nameType: data.nametype,
        byNode: new Map(frames.map(frame => [frame.node, frame])),
        details: part('details'), matched: part('matched'), unzoom: part('unzoom'),
        searchButton: part('search'), caseButton: part('ignorecase'),
        /* The address of a picture that is inline in a page is the page's. */
        ownsAddress: svg === document.documentElement,
        field: null, /* the search field, made when it is first opened */
        root: frames[0], zoomed: frames[0], current: frames[0], /* current: the one with tabindex */
        term: '', anyCase: false, trouble: '', /* what is wrong with the term, or empty */
    };
}

/* The frame that an event happened in, or undefined. */
function frameOf(graph, event) {
    return graph.byNode.get(event.target.closest('#frames > *'));
}

/* At most `chars` characters of the name, with ".." in place of the rest. Array.from splits by
 * characters, so that no surrogate pair is cut in half. */
function cut(graph, name, chars) {
    const all = name.length > chars ? Array.from(name) : [];
    if (all.length <= chars)
        return name;
    return graph.cutLeft ? '..' + all.slice(2 - chars).join('')
                         : all.slice(0, chars - 2).join('') + '..';
}

/* The matched percentage is on the same line as the details: a long name is cut to leave room. */
function showDetails(graph, frame) {
    const others = graph.nameType + '   ' + frame.counts + graph.matched.textContent;
    const chars = Math.floor(graph.room / graph.charWidth) - others.length;
    const name = cut(graph, frame.name, Math.max(chars, MIN_CHARS));
    graph.details.textContent = graph.nameType + ' ' + name + frame.counts;
}

function clearDetails(graph) {
    graph.details.textContent = ' ';
}

/* The part of a frame inside the zoomed one, scaled: all of a descendant, a full row of an ancestor. */
function stretched(graph, frame) {
    const view = graph.zoomed;
    const scale = graph.room / view.w;
    const from = Math.max(frame.x, view.x);
    const to = Math.min(frame.x + frame.w, view.x + view.w);
    const x = graph.xpad + (from - view.x) * scale;
    const width = Math.max(to - from, 0) * scale;
    const chars = Math.floor((width - 2 * TEXT_PAD) / graph.charWidth);
    return {
        x: x.toFixed(1),
        width: width.toFixed(1),
        textX: (x + TEXT_PAD).toFixed(2),
        label: chars < MIN_CHARS ? '' : cut(graph, frame.name, chars),
    };
}

/* Texts are the slowest for a browser to lay out, and most frames are too narrow for one. */
function place(frame, where) {
    frame.rect.setAttribute('x', where.x);
    frame.rect.setAttribute('width', where.width);
    if (!where.label && !frame.label)
        return;
    frame.text.setAttribute('x', where.textX);
    frame.text.textContent = where.label;
    frame.label = where.label;
}

function zoom(graph, view) {
    if (!(view.w > 0))
        return;
    graph.zoomed = view;
    graph.frames.forEach((frame, index) => {
        const below = index < view.index && frame.end > view.index;
        frame.shown = below || (index >= view.index && index < view.end);
        frame.node.classList.toggle('hide', !frame.shown);
        frame.node.classList.toggle('parent', below);
        if (frame.shown)
            place(frame, view === graph.root ? frame.home : stretched(graph, frame));
    });
    graph.unzoom.classList.toggle('hide', view === graph.root);
    if (!graph.current.shown)
        setCurrent(graph, view);
    showMatched(graph);
    writeAddress(graph);
}

/* The percentage of the zoomed frame. A stack counts once, however many of its frames match: frames
 * are sorted from left to right, and everything left of `end` is counted already. */
function matchedPercent(graph) {
    const view = graph.zoomed;
    let end = view.x;
    let sum = 0;
    for (const frame of graph.frames.filter(one => one.matched)) {
        const to = Math.min(frame.x + frame.w, view.x + view.w);
        sum += Math.max(to - Math.max(frame.x, end), 0);
        end = Math.max(end, to);
    }
    return 100 * sum / view.w;
}

function showMatched(graph) {
    const percent = matchedPercent(graph);
    const share = 'Matched: ' + (percent === 100 ? '100' : percent.toFixed(1)) + '%';
    graph.matched.textContent = graph.trouble || (graph.term ? share : ' ');
    graph.matched.classList.toggle('trouble', graph.trouble !== '');
}

/* A bad expression becomes a message: one that is being typed often is incomplete. */
function search(graph, term) {
    let expression = null;
    graph.term = term;
    graph.trouble = '';
    try {
        expression = term ? new RegExp(term, graph.anyCase ? 'i' : '') : null;
    } catch (error) {
        graph.trouble = 'Bad expression: ' + error.message.replace(/^.*: /, '').toLowerCase();
    }
    for (const frame of graph.frames) {
        frame.matched = expression !== null && expression.test(frame.name);
        frame.node.classList.toggle('matched', frame.matched);
    }
    graph.searchButton.textContent = term ? 'Reset Search' : 'Search';
    graph.searchButton.classList.toggle('show', term !== '');
    showMatched(graph);
    writeAddress(graph);
}

function toggleCase(graph) {
    graph.anyCase = !graph.anyCase;
    graph.caseButton.classList.toggle('show', graph.anyCase);
    graph.caseButton.setAttribute('aria-pressed', graph.anyCase);
    search(graph, graph.term);
}

/* An input in the picture instead of window.prompt: matches show while the user types, and browsers
 * allow it in embedded documents. */
function makeField(graph) {
    const box = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
    const input = document.createElementNS('http://www.w3.org/1999/xhtml', 'input');
    const right = Number(graph.searchButton.getAttribute('x')) - 2 * TEXT_PAD;
    box.setAttribute('x', Math.max(right - FIELD_WIDTH, graph.xpad));
    box.setAttribute('y', graph.searchButton.getAttribute('y') - graph.fontSize - 4);
    box.setAttribute('width', Math.min(FIELD_WIDTH, graph.room));
    box.setAttribute('height', graph.fontSize + 12);
    Object.assign(input, { placeholder: 'regular expression', spellcheck: false });
    input.addEventListener('input', () => search(graph, input.value));
    input.addEventListener('blur', () => box.classList.add('hide'));
    box.append(input);
    graph.svg.append(box);
    return { box, input };
}

function openField(graph) {
    if (!graph.field)
        graph.field = makeField(graph);
    const { box, input } = graph.field;
    box.classList.remove('hide');
    input.value = graph.term;
    input.focus();
    input.select();
}

/* Enter keeps the search, Escape resets it. */
function leaveField(graph, event) {
    if (event.key === 'Escape')
        search(graph, '');
    focusFrame(graph, graph.current, { preventScroll: true });
}

/* "?x=169.5&y=85&s=json&i=1": x and y of the zoomed frame in the file, the search term, and 1 if
 * case is ignored. */
function writeAddress(graph) {
    const view = graph.zoomed === graph.root ? null : graph.zoomed.home;
    const state = { x: view && view.x, y: view && view.y, s: graph.term, i: graph.anyCase && 1 };
    const url = new URL(location.href);
    for (const key of Object.keys(state)) {
        url.searchParams.delete(key);
        if (state[key])
            url.searchParams.set(key, state[key]);
    }
    try {
        if (graph.ownsAddress)
            history.replaceState(history.state, '', url);
    } catch (error) {
        /* Not allowed in data: documents, and by some browsers in files. Only the address is lost. */
    }
}

function readAddress(graph) {
    const state = new URL(location.href).searchParams;
    const [x, y, term] = ['x', 'y', 's'].map(key => state.get(key));
    const view = graph.frames.find(frame => frame.home.x === x && frame.home.y === y);
    if (state.get('i'))
        toggleCase(graph);
    if (term)
        search(graph, term);
    if (view)
        zoom(graph, view);
}

/* Makes this the one frame that Tab stops at; the arrow keys go on from it. */
function setCurrent(graph, frame) {
    graph.current.node.removeAttribute('tabindex');
    frame.node.setAttribute('tabindex', 0);
    graph.current = frame;
}

function focusFrame(graph, frame, options) {
    setCurrent(graph, frame);
    frame.node.focus(options);
}

/* The frame that an arrow key goes to; undefined at an edge. */
function nextFrame(graph, frame, key) {
    const shown = graph.frames.filter(other => other.shown);
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
        const row = shown.filter(other => other.level === frame.level);
        return row[row.indexOf(frame) + (key === 'ArrowLeft' ? -1 : 1)];
    }
    if ((key === 'ArrowUp') === graph.inverted)
        return frame.parent;
    /* The widest, so that repeated arrows follow the hot path. */
    return shown.filter(other => other.parent === frame).sort((a, b) => b.w - a.w)[0];
}

function move(graph, event) {
    const frame = frameOf(graph, event);
    const next = frame && nextFrame(graph, frame, event.key);
    if (next)
        focusFrame(graph, next);
    return frame !== undefined;
}

const BUTTONS = {
    unzoom: graph => zoom(graph, graph.root),
    search: graph => graph.term ? search(graph, '') : openField(graph),
    ignorecase: toggleCase,
};

/* A click, Enter or blank. The browser follows links, unless Ctrl asks for the zoom. */
function press(graph, event) {
    const button = BUTTONS[event.target.id];
    const frame = frameOf(graph, event);
    if (button) {
        button(graph);
    } else if (frame && (event.ctrlKey || event.metaKey || frame.node.localName !== 'a')) {
        zoom(graph, frame);
        focusFrame(graph, frame, { preventScroll: true });
    } else {
        return false;
    }
    return true;
}

function stepBack(graph) {
    if (graph.zoomed === graph.root)
        search(graph, '');
    else
        zoom(graph, graph.root);
}

/* Each returns false if it does not handle the key. */
const KEYS = {
    '/': openField, 'Ctrl-f': openField, 'Ctrl-i': toggleCase, Escape: stepBack,
    Enter: press, 'Ctrl-Enter': press, ' ': press,
    ArrowLeft: move, ArrowRight: move, ArrowUp: move, ArrowDown: move,
};

/* Not Ctrl-f: a second one opens the browser's own search. */
const FIELD_KEYS = { 'Ctrl-i': toggleCase, Enter: leaveField, Escape: leaveField };

function onKey(graph, event) {
    const ctrl = event.ctrlKey || event.metaKey;
    if (event.altKey) /* Alt-Left is Back in browsers */
        return;
    const keys = event.target.localName === 'input' ? FIELD_KEYS : KEYS;
    const act = keys[(ctrl ? 'Ctrl-' : '') + event.key];
    if (act && act(graph, event) !== false)
        event.preventDefault();
}

function onClick(graph, event) {
    if (press(graph, event))
        event.preventDefault();
}

function onEnter(graph, event) {
    const frame = frameOf(graph, event);
    if (frame)
        showDetails(graph, frame);
}

/* One listener for each type of event, however many frames there are. */
const HANDLERS = { click: onClick, keydown: onKey, mouseover: onEnter, focusin: onEnter,
    mouseout: clearDetails, focusout: clearDetails };

function start(svg) {
    const graph = readGraph(svg);
    for (const button of [graph.unzoom, graph.searchButton, graph.caseButton]) {
        button.setAttribute('tabindex', 0);
        button.setAttribute('role', 'button');
    }
    graph.caseButton.setAttribute('aria-label', 'Ignore case');
    graph.matched.setAttribute('aria-live', 'polite');
    /* Aligned right, so that a long message stays in the picture. */
    graph.matched.setAttribute('x', graph.xpad + graph.room);
    graph.matched.setAttribute('text-anchor', 'end');
    setCurrent(graph, graph.root);
    for (const type of Object.keys(HANDLERS))
        svg.addEventListener(type, event => HANDLERS[type](graph, event));
    if (graph.ownsAddress)
        readAddress(graph);
}

start(document.currentScript.closest('svg'));
})();
