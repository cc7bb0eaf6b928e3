const items = Array.from({ length: 2000 }, (_, id) => ({
    id, name: `item ${id}`, price: (id * 7919) % 1000, tags: Array.from({ length: 8 }, (_, k) => `tag ${(id * (k + 3)) % 50}`),
}));
const byId = new Map(items.map((item) => [item.id, item]));

function item(id) {
    return byId.get(id);
}

function list(from) {
    return items.slice(from, from + 50).sort((a, b) => a.price - b.price);
}

function related(one) {
    const found = [];
    for (let k = 1; k <= 200; k++) {
        const other = item((one.id * k) % 2000);
        if (other.tags.some((tag) => one.tags.includes(tag))) found.push(other);
    }
    return found.sort((a, b) => a.price - b.price);
}

function copy(value) {
    return JSON.parse(JSON.stringify(value));
}

module.exports = { item, list, related, copy };
