const WIDTH = 40;
// Where the output goes into a file, a line for each of these, not one for each look.
const STEP = 25;

let shown = -1;

/** Draws a progress bar over the last one; percentages of 100 end it. */
export function showProgress(percentage: number, words: string): void {
	const filled = Math.round((percentage / 100) * WIDTH);
	const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${String(percentage).padStart(3)} %  ${words}`;
	if (process.stdout.isTTY) {
		process.stdout.write(`\r${bar}${percentage === 100 ? '\n' : ''}`);
		return;
	}
	const step = Math.floor(percentage / STEP);
	if (step !== shown) console.log(bar);
	shown = percentage === 100 ? -1 : step;
}
