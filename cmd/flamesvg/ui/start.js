/* Begins: the script comes after the frames in the file. */

function makePens(graph) {
    const fontFamily = graph.svg ? getComputedStyle(graph.svg).fontFamily
        : JSON.stringify(graph.data.fonttype) + ', sans-serif';
    graph.font = `${graph.fontSize}px ${fontFamily}`;
    graph.pen = makePen(graph.font);
}

/* The keys of a page are its own; those typed into an inline picture are the picture's. */
function listen(graph) {
    const target = graph.ownsWindow ? document : graph.svg;
    target.addEventListener('keydown', event => onKey(graph, event));
    graph.controls.tree.addEventListener('focusin', () => onTreeFocus(graph));
    graph.controls.tree.addEventListener('focusout', () => outline(graph));
    graph.controls.tree.addEventListener('click', event => { /* a screen reader's */
        const item = event.target.closest('[data-frame]');
        if (item)
            activate(graph, Number(item.dataset.frame), event);
    });
    listenToPointer(graph);
    listenToWindow(graph);
}

function begin(root) {
    const graph = makeGraph(root);
    openFrames(graph); /* first of all: what measures would lay out the file's elements */
    makePens(graph);
    mount(graph);
    graph.area = graph.svg || graph.chartNode;
    graph.controls.tree.append(makeElement('div', { role: 'treeitem', 'aria-label': 'all', tabindex: 0 }));
    listen(graph);
    followWindow(graph);
    drawFirst(graph);
    root.flame = { boxes: () => boxesOf(graph), ...graph.model };
    if (graph.follows)
        scrollToRoot(graph);
    if (graph.ownsWindow) {
        readAddress(graph, true);
        addEventListener('popstate', () => readAddress(graph, false));
    }
}

begin(document.currentScript.closest('svg') || document.documentElement);
