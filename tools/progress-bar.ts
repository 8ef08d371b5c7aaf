const WIDTH = 40;
// When the output is not a terminal, a line is written only for each of these percentages.
const STEP = 25;

let lastStep = -1;

/** Draws a progress bar over the previous one; 100 ends it. */
export function showProgress(percentage: number, words: string): void {
	const filled = Math.round((percentage / 100) * WIDTH);
	const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${String(percentage).padStart(3)} %  ${words}`;
	if (process.stdout.isTTY) {
		process.stdout.write(`\r${bar}${percentage === 100 ? '\n' : ''}`);
		return;
	}
	const step = Math.floor(percentage / STEP);
	if (step !== lastStep) console.log(bar);
	lastStep = percentage === 100 ? -1 : step;
}
