/* For eslint: the parts of the pictures' script, modules that the build joins into one function
 * (see cmd/flamesvg/ui/start.js). At its head a part imports all that it uses of others, and
 * exports all that it gives. That an import is known and used, and never assigned to, eslint proves
 * itself; here is the rest. */
import fs from 'node:fs';
import path from 'node:path';

const CHANGES = /^(push|pop|shift|unshift|splice|sort|reverse|fill|set|delete|clear)$/;
const named = (text) => text.split(',').map((name) => name.trim()).filter(Boolean);

/* The parts that a name without a path stands for, in the Makefile's lines "UI_svg = profile=decode
 * ...". */
function readOthers(file) {
    const others = {};
    for (const [, pairs] of fs.readFileSync(file, 'utf8').matchAll(/^UI_\w+ = (.*)/gm))
        for (const [, name, part] of pairs.matchAll(/(\w+)=(\w+)/g))
            (others[name] ??= new Set()).add(part);
    return others;
}

/* For each part what it gives, and what others use of it. */
function readParts(folder, others) {
    const parts = {};
    const part = (name) => parts[name] ??= { gives: new Set(), used: new Set() };
    for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.js'))) {
        const text = fs.readFileSync(path.join(folder, file), 'utf8');
        for (const [, way, names, , from] of text.matchAll(/^(import|export) \{([^}]*)\}( from '(?:\.\/)?([\w.]+)')?;$/gm)) {
            const of = from?.replace('.js', '');
            for (const used of of ? others[of] || [of] : [])
                named(names).forEach((name) => part(used).used.add(name));
            if (way === 'export')
                named(names).forEach((name) => part(path.basename(file, '.js')).gives.add(name));
        }
    }
    return parts;
}

const rule = {
    create(context) {
        const folder = path.dirname(context.filename), self = path.basename(context.filename, '.js');
        const others = readOthers(path.join(folder, '../../../Makefile'));
        const parts = readParts(folder, others);
        const rootOf = (node) => node.type === 'MemberExpression' ? rootOf(node.object) : node;
        const isForeign = (node) => {
            const root = rootOf(node);
            const { references } = context.sourceCode.getScope(root);
            return root !== node && references.find(({ identifier }) => identifier === root)?.resolved?.defs
                .some(({ type }) => type === 'ImportBinding');
        };
        const checkWrite = (node, written) => {
            if (written && isForeign(written))
                context.report({ node, message: `${rootOf(written).name} is the state of another part` });
        };
        const checkImport = (node) => {
            const from = node.source.value.replace(/^\.\/|\.js$/g, '');
            for (const part of others[from] || [from])
                for (const { local: { name } } of node.specifiers)
                    if (!parts[part]?.gives.has(name))
                        context.report({ node, message: `${part}.js does not give ${name}` });
        };
        return {
            AssignmentExpression: (node) => (node.left.elements || [node.left]).forEach((one) => checkWrite(node, one)),
            UpdateExpression: (node) => checkWrite(node, node.argument),
            UnaryExpression: (node) => node.operator === 'delete' && checkWrite(node, node.argument),
            CallExpression(node) {
                const { callee, arguments: [first] } = node;
                if (callee.type === 'MemberExpression' && CHANGES.test(callee.property.name))
                    checkWrite(node, callee);
                if (context.sourceCode.getText(callee) === 'Object.assign' && first.type === 'Identifier')
                    checkWrite(node, { type: 'MemberExpression', object: first });
            },
            ImportDeclaration: checkImport,
            ExportNamedDeclaration(node) {
                if (node.declaration)
                    context.report({ node, message: 'what a part gives is said at its head' });
                if (node.source)
                    checkImport(node);
                for (const { local: { name } } of node.specifiers)
                    if (!parts[self]?.used.has(name))
                        context.report({ node, message: `nobody uses ${name}` });
            },
            Program({ body }) {
                const isHead = ({ type }) => /^(Import|Export)/.test(type);
                const first = body.findIndex((node) => !isHead(node));
                body.slice(first).filter(isHead).forEach((node) => context.report({ node, message: 'this is not at the head' }));
            },
        };
    },
};

export default { rules: { parts: rule } };
