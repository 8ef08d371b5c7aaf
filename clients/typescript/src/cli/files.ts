import { renameSync, rmSync } from 'node:fs';

/** Has a file written under another name, so that it is there as a whole or not at all. */
export async function renameInto(file: string, write: (part: string) => Promise<void>): Promise<void> {
	const part = `${file}.part`;
	try {
		await write(part);
		renameSync(part, file);
	} catch (error) {
		rmSync(part, { force: true });
		throw error;
	}
}
