/* Text for the clipboard. */

/* Browsers that do not offer the clipboard here copy what is selected. */
async function copyText(graph, text, what) {
    try {
        await navigator.clipboard.writeText(text);
    } catch (error) {
        const area = makeUnseen('textarea', {});
        area.value = text;
        graph.layer.append(area);
        area.select();
        document.execCommand('copy');
        area.remove();
    }
    graph.controls.details.textContent = what + ' copied';
}

function rawName(graph, frame) {
    return graph.profile.names[graph.table.name[frame]] || 'all';
}

function copyName(graph, frame) {
    return copyText(graph, rawName(graph, frame), 'Name');
}

/* As it is shown, so that callers of a function begin with it. */
function copyStack(graph, frame) {
    return copyText(graph, stackOf(graph.table, frame).map(i => rawName(graph, i)).join(';'), 'Stack');
}

/* The zoomed frame's stacks, each a line of frames, a blank and the count. Of a function with its callers and its
 * callees, which are no stacks, those from the function on. */
function copyShown(graph) {
    const { profile } = graph;
    const both = graph.lowestRow < 0;
    const zoomed = both ? ROOT : graph.zoomed;
    const table = both ? transform(graph, graph.state.steps
        .map(step => step.kind === 'both' ? { ...step, kind: 'focus' } : step)) : graph.table;
    const lines = [];
    const nameIn = i => profile.names[table.name[i]];
    eachStack(table, (stack, count) => {
        const leaf = stack[stack.length - 1];
        if (leaf !== undefined && count > 0 && isWithin(table, leaf, zoomed))
            lines.push(stack.map(nameIn).join(';') + ' ' + count / profile.scale + '\n');
    });
    return copyText(graph, lines.join(''), withCommas(lines.length) + (lines.length === 1 ? ' stack' : ' stacks'));
}
