// RFC 9309 §2.5 asks crawlers to parse at least 500 KiB; we fetch only a handful of pages of a site.
const LINES_MAX = 5_000;
const OUR_TOKEN = 'mailsonar';

interface Rule {
	readonly allows: boolean;
	readonly pattern: string;
}

/** Whether robots.txt (RFC 9309) lets us fetch a path. Rules for our own token come before those for `*`. */
export function isAllowedByRobots(text: string, path: string): boolean {
	const rules = rulesFor(text);
	let best: Rule = { allows: true, pattern: '' };
	for (const rule of rules) {
		if (rule.pattern === '' || !matches(rule.pattern, path)) continue;
		// RFC 9309 §2.2.2: the longest match counts; between equally long ones, `allow`.
		const isLonger = rule.pattern.length > best.pattern.length;
		if (isLonger || (rule.pattern.length === best.pattern.length && rule.allows)) best = rule;
	}
	return best.allows;
}

function rulesFor(text: string): readonly Rule[] {
	const ours: Rule[] = [];
	const everybodys: Rule[] = [];
	let isNamed = false;
	let agents: string[] = [];
	let inRules = false;
	for (const line of text.split(/\r\n|\r|\n/, LINES_MAX)) {
		const [field = '', ...rest] = line.split('#', 1)[0]?.split(':') ?? [];
		const name = field.trim().toLowerCase();
		const value = rest.join(':').trim();
		if (name === 'user-agent') {
			if (inRules) agents = [];
			inRules = false;
			agents.push(value.toLowerCase());
			isNamed ||= value.toLowerCase() === OUR_TOKEN;
		} else if (name === 'allow' || name === 'disallow') {
			inRules = true;
			const rule = { allows: name === 'allow', pattern: value };
			if (agents.includes(OUR_TOKEN)) ours.push(rule);
			if (agents.includes('*')) everybodys.push(rule);
		}
	}
	return isNamed ? ours : everybodys;
}

/** `*` matches anything, a final `$` the end of the path (RFC 9309 §2.2.3). Linear time for any pattern. */
function matches(pattern: string, path: string): boolean {
	const isAnchored = pattern.endsWith('$');
	const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
	const [first = '', ...others] = pieces;
	if (!path.startsWith(first)) return false;
	let at = first.length;
	for (const piece of others) {
		const found = path.indexOf(piece, at);
		if (found === -1) return false;
		at = found + piece.length;
	}
	if (!isAnchored || at === path.length) return true;
	const last = others.at(-1);
	return last !== undefined && path.endsWith(last) && path.length - last.length >= at - last.length;
}
