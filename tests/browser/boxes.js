/* What is shown, a line a frame, callers first and from left to right: level, name, and x and width in
 * thousandths of the root. */
const [first] = boxes();
const round = (number) => (Math.round(number * 10000 / first.width) / 10).toFixed(1);
return boxes().map((one) => [Math.round((first.y - one.y) / 16), one.name, round(one.x - first.x), round(one.width)]
    .join(' ')).join('\n');
