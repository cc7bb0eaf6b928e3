/* Elements. Text of the file is only ever assigned to textContent or to an attribute's value, so it cannot
 * become markup. */

export { makeButton, makeElement, makeToggle, makeUnseen, setAttributes, show, style };

const XHTML = 'http://www.w3.org/1999/xhtml';

function setAttributes(node, attributes) {
    for (const key of Object.keys(attributes))
        if (attributes[key] !== null && attributes[key] !== false)
            node.setAttribute(key, attributes[key]);
    return node;
}

function makeElement(tag, attributes = {}, ...children) {
    const node = setAttributes(document.createElementNS(XHTML, tag), attributes);
    node.append(...children);
    return node;
}

function makeButton(text, title, act) {
    const button = makeElement('button', { type: 'button', title }, text);
    button.addEventListener('click', act);
    return button;
}

/* A button that is pressed or not. */
function makeToggle(text, id, title, act) {
    return setAttributes(makeButton(text, title, act), { id, 'aria-label': title, 'aria-pressed': 'false' });
}

/* By an attribute, which works where a policy blocks styles. */
function show(node, shown) {
    node.toggleAttribute('hidden', !shown);
}

/* For screen readers only. */
function makeUnseen(tag, attributes) {
    return style(makeElement(tag, attributes), { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden',
        'clip-path': 'inset(50%)', 'white-space': 'nowrap' });
}

/* Sets styles in a way that a policy against styles allows. Returns the node. */
function style(node, properties) {
    for (const key of Object.keys(properties))
        node.style.setProperty(key, properties[key]);
    return node;
}
