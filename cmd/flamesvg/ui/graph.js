/* The state of one picture, in one object that each function gets, since a page may show several
 * pictures. What is read of the file:
 *
 *     <svg viewBox data-xpad data-fontsize data-fontwidth data-inverted data-nametype
 *          data-countname data-units data-truncate>
 *       <text id="details"/>             also unzoom, search, ignorecase, matched
 *       <g id="frames">                  see table.js
 *
 * The picture is complete without the script. Text of the file is only ever assigned to textContent,
 * so it cannot become markup. */

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
