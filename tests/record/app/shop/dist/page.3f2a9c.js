const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const row = (item) => `<li>${escape(item.name)}: ${item.tags.map((tag) => escape(tag)).join(', ')}</li>`;
exports.page = (item, others) => `<h1>${escape(item.name)}</h1><ul>${others.map((other) => row(other)).join('')}</ul>`;
