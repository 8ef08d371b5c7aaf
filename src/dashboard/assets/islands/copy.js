// Copy buttons are hidden unless scripts run.
const SAID_MS = 2_000;
const timers = new WeakMap();

for (const button of document.querySelectorAll('button[data-copy]')) button.hidden = false;

addEventListener('click', (event) => {
	const button = event.target.closest('button[data-copy]');
	if (button === null) return;
	const source = document.getElementById(button.dataset.copy);
	// Where copying is not allowed the text is selected instead, so that one key press copies it.
	const mark = () => {
		getSelection().selectAllChildren(source);
		say(button, 'Press Ctrl+C');
	};
	if (navigator.clipboard)
		navigator.clipboard.writeText(source.textContent).then(() => say(button, 'Copied'), mark);
	else mark();
});

function say(button, text) {
	const word = button.querySelector('[data-word]');
	button.dataset.before ??= word.textContent;
	word.textContent = text;
	clearTimeout(timers.get(button));
	timers.set(
		button,
		setTimeout(() => {
			word.textContent = button.dataset.before;
		}, SAID_MS),
	);
}
