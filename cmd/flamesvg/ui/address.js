/* The page's address, which has what is shown:
 *
 *     ?x=169.5&y=85&s=json&i=1&p=1&t=12.340,12.859999999&step=callers:main&step=drop:idle&view=icicle,leaf,size,kind
 *
 * x and y of the zoomed frame, as they are in the file at its own width; the search term, 1 if case is ignored,
 * 1 if the term is plain text; ranges of time, with ";" between two; steps; and switches, each only where it differs from the file. Links that
 * flamegraph.pl's pictures have made have x, y and s. */

function fileX(graph, i) {
    return graph.xpad + graph.table.start[i] * graph.fileRoom / graph.table.width[ROOT];
}

function fileY(graph, i) {
    const row = graph.table.row[i];
    return graph.fileTop + (graph.fileInverted ? row : graph.fileRows - 1 - row) * graph.rowHeight;
}

/* The widest frame at this place of the file; x has as many decimals as tell it apart. */
function frameOfPlace(graph, x, y) {
    const { row, width } = graph.table;
    const line = (y - graph.fileTop) / graph.rowHeight;
    const wanted = graph.fileInverted ? line : graph.fileRows - 1 - line;
    const nearest = Math.round(wanted);
    const places = (String(x).split('.')[1] || '').length;
    let found = ROOT;
    if (!/^[\d.]+,-?[\d.]+$/.test(`${x},${y}`) || Math.abs(nearest - wanted) * graph.rowHeight >= 1)
        return ROOT;
    for (let i = row.indexOf(nearest, 1); i > ROOT; i = row.indexOf(nearest, i + 1))
        if ((found === ROOT || width[i] > width[found]) &&
            Math.abs(fileX(graph, i) - x) <= 0.5001 * Math.pow(10, -places))
            found = i;
    return found;
}

function placeText(graph) {
    const i = graph.zoomed;
    const y = String(short(fileY(graph, i)));
    const x = [1, 3, 6].map(places => fileX(graph, i).toFixed(places))
        .find(text => frameOfPlace(graph, text, y) === i);
    return { x: x || fileX(graph, i).toFixed(9), y };
}

function viewText(graph) {
    const { icicle, leaf, size, colour } = graph.state;
    return [
        icicle !== graph.fileInverted && (icicle ? 'icicle' : 'flame'),
        leaf !== graph.fileReversed && (leaf ? 'leaf' : 'root'),
        size !== graph.fileSize && (size ? 'size' : 'sorted'), colour !== 'palette' && colour,
    ].filter(Boolean).join(',');
}

function addressOf(graph) {
    const { term, anyCase, plain, steps } = graph.state;
    const url = new URL(location.href);
    const parts = {
        x: '', y: '', ...graph.zoomed === ROOT ? {} : placeText(graph),
        s: term, i: anyCase && 1, p: plain && 1, view: viewText(graph), t: graph.rangesText?.(),
    };
    for (const key of Object.keys(parts)) {
        url.searchParams.delete(key);
        if (parts[key])
            url.searchParams.set(key, parts[key]);
    }
    url.searchParams.delete('step');
    for (const { kind, name } of steps)
        url.searchParams.append('step', kind + ':' + name);
    return url;
}

/* Writes what is shown now, after the paint, since browsers take milliseconds for it; not if the user has gone to another
 * step of the history by then. `way` is pushState for a step that Back takes back. */
function writeAddress(graph, way = 'replaceState') {
    const { visit } = graph, url = addressOf(graph);
    afterPaint(() => {
        try {
            if (graph.ownsWindow && visit === graph.visit)
                history[way](history.state, '', url);
        } catch (error) {
            /* Not allowed in data: documents, and by some browsers in files. Only the address is lost. */
        }
    });
}

/* A step of the address, or null: one that is not known, or of a function that is not in the profile. */
function readStep(graph, text) {
    const [, kind, name] = text.match(/^([a-z]+):(.*)$/s) || [];
    const { names, kindNames } = profileOf(graph);
    const known = Object.hasOwn(STEPS, kind || '') && (kind === 'kind' ? kindNames : names).includes(name);
    return known ? { kind, name } : null;
}

function readState(graph, address) {
    const views = (address.get('view') || '').split(',');
    const icicle = views.includes('icicle') || (graph.fileInverted && !views.includes('flame'));
    const size = views.includes('size') || (graph.fileSize && !views.includes('sorted'));
    const colour = views.find(view => Object.hasOwn(COLOURS, view)) || 'palette';
    const steps = address.getAll('step').map(text => readStep(graph, text)).filter(Boolean);
    const leaf = views.includes('leaf') || (graph.fileReversed && !views.includes('root'));
    return { steps, icicle, size, leaf, colour, ranges: graph.readRanges?.(address.get('t')) || [] };
}

/* Shows what the address says. The search of now stays after Back and Forward. */
function readAddress(graph, isNew) {
    const address = new URL(location.href).searchParams;
    graph.visit++;
    const wanted = ['x', 's', 't', 'step', 'view'].some(key => address.get(key));
    if (isNew) {
        graph.state.anyCase = Boolean(address.get('i'));
        graph.state.plain = Boolean(address.get('p'));
        graph.state.term = graph.controls.field.value = address.get('s') || '';
    }
    if (wanted || !isNew && graph.table) {
        Object.assign(graph.state, readState(graph, address));
        rebuild(graph);
        graph.zoomed = graph.current = frameOfPlace(graph, address.get('x'), address.get('y'));
        redraw(graph);
    }
    showState(graph);
    writeAddress(graph);
}
