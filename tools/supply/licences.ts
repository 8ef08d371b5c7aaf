import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ListSource } from './lists.ts';
import type { LockedPackage } from './lock.ts';

/** What may be part of a service that is not open source, with its text and its authors' names beside it. */
const ALLOWED = new Set([
	'0BSD',
	'Apache-2.0',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'CC0-1.0',
	'ISC',
	'MIT',
	// A typeface, whole and unchanged: the licence asks that it stays with the font, and nothing of what uses it.
	'OFL-1.1',
	'Unlicense',
]);

/** Packages that are shipped under a licence that asks for more. */
export function licenceProblems(shipped: readonly LockedPackage[]): readonly string[] {
	return shipped
		.filter(({ licence }) => licence === null || !ALLOWED.has(licence))
		.map(
			({ name, version, licence }) =>
				`${name} ${version} is shipped under ${licence ?? 'no licence that it names'}`,
		);
}

interface Described {
	readonly title: string;
	readonly text: string;
}

/** The file that says whose work is shipped, and under which terms. */
export function renderThirdParty(shipped: readonly LockedPackage[], lists: readonly ListSource[]): string {
	const described = shipped.map((one): Described => ({
		title: `${one.name} ${one.version} (${one.licence})`,
		text: licenceText(one),
	}));
	// Many have the same text, so each text stands once.
	const groups = Map.groupBy(described, ({ text }) => createHash('sha256').update(text).digest('hex'));
	const data = lists
		.filter(({ licence }) => licence !== null)
		.map(
			({ file, source, licence, copyright }) =>
				`- \`${file}\`: ${source} (${licence}${copyright === null ? '' : `, copyright ${copyright}`})`,
		);
	return [
		'# The work of others',
		'',
		'What the Worker and the prober ship beside our own code, under the terms of its authors. Made by',
		'`npm run update:supply`; tools and tests are not shipped.',
		'',
		...shipped.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`),
		'',
		'Data, under the same terms as the packages of these licences:',
		'',
		...data,
		'',
		...[...groups.values()].flatMap((group) => [
			`## ${group.map(({ title }) => title).join(', ')}`,
			'',
			'```text',
			group[0]?.text ?? '',
			'```',
			'',
		]),
	].join('\n');
}

/** The text in the package; where it has none, what its package.json says. */
function licenceText({ folder }: LockedPackage): string {
	const file = existsSync(folder)
		? readdirSync(folder).find((name) => /^(?:licen[cs]e|copying|unlicense)(?:\.(?:md|txt))?$/i.test(name))
		: undefined;
	if (file !== undefined)
		return readFileSync(path.join(folder, file), 'utf8')
			.replaceAll('\r\n', '\n')
			.replaceAll(/[ \t]+$/gm, '')
			.replaceAll('```', "'''")
			.trim();
	const { license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
		license?: string;
		author?: string | { name?: string };
	};
	const by = typeof author === 'string' ? author : author?.name;
	return `The package has no text of its licence. It says: ${license}${by === undefined || by === '' ? '' : `, by ${by}`}.`;
}
