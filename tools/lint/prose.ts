// A plugin of the linter that holds the prose of comments, and the names beside it, to words that a stranger reads once.

interface Place {
	readonly line: number;
	readonly column: number;
}

interface Comment {
	readonly type: 'Block' | 'Line' | 'Shebang';
	readonly value: string;
	readonly loc: { readonly start: Place; readonly end: Place };
}

/** A node of the syntax tree (ESTree), with the fields that the rules read. */
interface Node {
	readonly type: string;
	readonly parent: Node;
	readonly name?: string;
	readonly id?: Node | null;
	readonly params?: readonly Node[];
}

/** The part of the linter's interface that the rules use. */
interface Context {
	readonly sourceCode: { getAllComments(): readonly Comment[] };
	report(flaw: { readonly message: string; readonly loc?: Comment['loc']; readonly node?: Node }): void;
}

/** Words that begin a sentence without its subject. Questions may begin with them. */
const DANGLING = /^(?:Those|Of|Whose|Who|Whom|What|Such)\b/;

/** Words for a role that has a name, and phrases that hide the actor. */
const VAGUE =
	/\b(?:whoever|whomever|nobody|somebody|comes? back|came back|(?:is|are|was|were|be|been) told|bears?|bore|as (?:it|they) stands?|leads? nowhere)\b/i;

/** Names that say how a value arose, and not what it is. */
const VAGUE_NAMES = new Set(['told', 'asked', 'shown', 'own', 'said', 'Wish', 'Wanting', 'Demand', 'Terms']);

/** The flaws of a comment's text, a sentence at a time. */
export function proseFlaws(comment: string): string[] {
	const text = comment
		.replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”/g, 'x')
		.replaceAll(/\s+/g, ' ')
		.trim();
	return text.split(/(?<=[.!?:;])\s(?=[A-Z])|\s?@\w+ /).flatMap((sentence) => {
		const start = sentence.endsWith('?') ? null : DANGLING.exec(sentence);
		const vague = VAGUE.exec(sentence);
		return [
			...(start === null ? [] : [`A sentence begins with its subject, not with "${start[0]}"`]),
			...(vague === null ? [] : [`Name the role or the actor instead of "${vague[0]}"`]),
		];
	});
}

/** The comments of a file: lines of `//` below one another are one. */
function textsOf(comments: readonly Comment[]): { readonly text: string; readonly loc: Comment['loc'] }[] {
	const found: { text: string; loc: Comment['loc']; isLine: boolean }[] = [];
	for (const { type, value, loc } of comments) {
		const last = found.at(-1);
		const isLine = type === 'Line';
		const goesOn =
			isLine &&
			last?.isLine === true &&
			last.loc.end.line + 1 === loc.start.line &&
			last.loc.start.column === loc.start.column;
		if (goesOn) {
			last.text += `\n${value}`;
			last.loc = { start: last.loc.start, end: loc.end };
		} else found.push({ text: isLine ? value : value.replaceAll(/^\s*\*+ ?/gm, ''), loc, isLine });
	}
	return found;
}

/** Whether the identifier declares a variable, a parameter, a type, or a part of a list. */
function isDeclared(node: Node): boolean {
	const { type, id, params } = node.parent;
	if (type === 'ArrayPattern') return true;
	return (
		(/^(?:VariableDeclarator|TSTypeAliasDeclaration|TSInterfaceDeclaration)$/.test(type) && id === node) ||
		(/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) &&
			params?.includes(node) === true)
	);
}

const plugin = {
	meta: { name: 'prose' },
	rules: {
		comments: {
			create: (context: Context) => ({
				Program() {
					for (const { text, loc } of textsOf(context.sourceCode.getAllComments()))
						for (const message of proseFlaws(text)) context.report({ message, loc });
				},
			}),
		},
		names: {
			create: (context: Context) => ({
				Identifier(node: Node) {
					if (VAGUE_NAMES.has(node.name ?? '') && isDeclared(node))
						context.report({ message: `Name what \`${node.name}\` is: a noun of the field`, node });
				},
			}),
		},
	},
};
export default plugin;
