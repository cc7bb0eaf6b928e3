/* Which side of a comparison each colour means, in the words of legend.c; nothing where other colours are shown. With
 * --negate the changes in the file are those from the second profile to the first. */
function legendOfSides({ data, profile, state }) {
    if (!data.compared || state.colour !== 'palette')
        return [];
    const second = profile.negated ? -profile.maxDelta : profile.maxDelta;
    return [['more in the second profile (its counts are the widths)', second], ['more in the first', -second]]
        .map(([text, change]) => makeElement('span', { class: 'side' }, squareOf(changeFill(profile, change)), text));
}
