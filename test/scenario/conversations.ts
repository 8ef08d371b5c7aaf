import type { Transcript } from '../sandbox/transcript.ts';

/** One command as the server heard it, and how far its replies had come by then. */
interface Heard {
	readonly line: string;
	/** Replies finished before this command came in, the greeting included. */
	readonly repliesBefore: number;
}

function commandsOf({ lines }: Transcript): Heard[] {
	const commands: Heard[] = [];
	let replies = 0;
	for (const line of lines) {
		if (line.startsWith('< ')) commands.push({ line: line.slice(2), repliesBefore: replies });
		// RFC 5321 §4.2.1: a hyphen behind the code announces another line.
		else if (!/^> \d{3}-/.test(line)) replies += 1;
	}
	return commands;
}

/**
 * What is wrong with how we spoke, judged from the server's side: nothing, or one sentence per fault.
 *
 * @param targets the addresses that were verified, in the spelling of RCPT; everybody else was invented
 */
export function findFaults(transcript: Transcript, targets: ReadonlySet<string>): string[] {
	const commands = commandsOf(transcript);
	const recipients = commands.flatMap(({ line, repliesBefore }) => {
		const address = /^RCPT TO:<(.+)>$/.exec(line)?.[1];
		return address === undefined ? [] : [{ address, repliesBefore }];
	});
	const faults: string[] = [];
	const [first] = recipients;
	if (first !== undefined) {
		if (!targets.has(first.address)) faults.push('an invented recipient was asked before the target');
		const sameFlight = recipients.slice(1).filter((rcpt) => rcpt.repliesBefore === first.repliesBefore);
		if (sameFlight.length > 1) faults.push('more than one invented recipient in the first flight');
	}
	const last = commands.at(-1)?.line;
	if (transcript.endedBy === 'client' && last !== 'QUIT') faults.push(`left without QUIT, after ${last}`);
	return faults.map((fault) => `${transcript.host}: ${fault}`);
}
