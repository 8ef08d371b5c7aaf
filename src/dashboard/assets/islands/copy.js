// Copy buttons are hidden unless scripts run.
for (const button of document.querySelectorAll('button[data-copy]')) {
	button.hidden = false;
	const word = button.querySelector('[data-word]');
	const before = word.textContent;
	let timer = 0;
	const say = (text) => {
		word.textContent = text;
		clearTimeout(timer);
		timer = setTimeout(() => {
			word.textContent = before;
		}, 2_000);
	};
	button.addEventListener('click', () => {
		const source = document.getElementById(button.dataset.copy);
		// Where copying is not allowed the text is selected instead, so that one key press copies it.
		const mark = () => {
			getSelection().selectAllChildren(source);
			say('Press Ctrl+C');
		};
		if (navigator.clipboard)
			navigator.clipboard.writeText(source.textContent).then(() => say('Copied'), mark);
		else mark();
	});
}
