import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer } from '../sandbox/smtp-dialogue.ts';
import type { ZoneEntry, Zones } from '../sandbox/zone-lookup.ts';
import type { SessionParts } from '../sandbox/smtp-session.ts';
import type { World } from './world.ts';

const FOLDER = path.join(import.meta.dirname, 'conversations');
const ADDRESS = '198.18.0.10';

/** Conversations that the test of the real servers held about one kind of address, alone and in a list. */
interface Recording {
	readonly program: string;
	/** As test/support/real-servers/programs.ts calls it. */
	readonly kind: string;
	/** The address in question, and the others of its list. */
	readonly emails: readonly string[];
	/** Replies by the command that they answer; the greeting by an empty one. Invented recipients are `invented@…`. */
	readonly replies: ReadonlyMap<string, string>;
}

/** Every recording, and its server as a world. */
export function recordings(): readonly (Recording & { readonly world: World })[] {
	const files = readdirSync(FOLDER).toSorted();
	return files.flatMap((file) => {
		const text = readFileSync(path.join(FOLDER, file), 'utf8');
		const sections = text.split(/^# (?=\w+: )/m).slice(1);
		const found = sections.map((section) => readSection(path.basename(file, '.txt'), section));
		const all = new Map(found.flatMap(({ replies }) => [...replies]).toReversed());
		return found.map((recording) => ({ ...recording, world: worldOf(recording, all) }));
	});
}

function readSection(program: string, section: string): Recording {
	const [head = '', ...connections] = section.split(/^# connection\n/m);
	const [, kind = '', addresses = ''] = /^(\w+): (.*)$/m.exec(head) ?? [];
	const replies = new Map<string, string>();
	for (const connection of connections) {
		const lines = connection.trimEnd().split('\n');
		const commands = ['', ...lines.filter((line) => line.startsWith('C: ')).map((line) => line.slice(3))];
		const said = lines
			.filter((line) => line.startsWith('S: '))
			.map((line) => line.slice(3))
			.join('\n');
		const whole = said.match(/(?:^\d{3}-.*\n)*^\d{3}(?: .*)?$/gm) ?? [];
		for (const [at, reply] of whole.entries()) {
			const command = keyOf(commands[at] ?? 'more');
			if (!replies.has(command)) replies.set(command, reply);
		}
	}
	return { program, kind, emails: addresses.split(' '), replies };
}

/** Our name and our sender may change. */
function keyOf(command: string): string {
	return /^RCPT TO:/i.test(command) ? command.toLowerCase() : command.slice(0, 4).toUpperCase();
}

function worldOf({ emails, replies }: Recording, ofProgram: ReadonlyMap<string, string>): World {
	const host = 'mx.inbox.test';
	const mx = { mx: [[10, host]] } as const;
	const domains = ['inbox.test', 'all.test', 'other.test'];
	const zones: Zones = new Map<string, ZoneEntry>([
		...domains.map((domain) => [domain, mx] as const),
		[host, { a: [ADDRESS] }],
	]);
	const behaviour = { greeting: () => replies.get('') ?? '', early: 'tolerate' } as const;
	const known = new Set(emails.map((email) => `rcpt to:<${email}>`));
	const answer = (line: string): Answer => {
		const said = keyOf(line);
		const [, local = '', domain = ''] = /^rcpt to:<(.*)@(.*)>$/.exec(said) ?? [];
		const key = domain === '' || known.has(said) ? said : `rcpt to:<invented@${domain}>`;
		const text = replies.get(key) ?? ofProgram.get(key) ?? '451 4.3.0 This was not recorded';
		return { text: text.replaceAll('invented@', `${local}@`), closes: /^(?:221|421)/.test(text) };
	};
	const pipelining = replies.get('EHLO')?.includes('PIPELINING') ?? false;
	const talk = (): SessionParts['dialogue'] => ({ pipelining, answer, mistrusts: false });
	return {
		zones,
		registrations: new Map(),
		servers: new Map([[ADDRESS, { host, behaviour, talk }]]),
	};
}
