// Choosing a language in one block of code chooses it in all blocks, and is remembered.
const KEY = 'code-language';

const choose = (language) => {
	for (const radio of document.querySelectorAll('input[data-choice]')) {
		if (radio.value === language) radio.checked = true;
	}
};

try {
	choose(localStorage.getItem(KEY));
} catch {
	// Storage is switched off: the first language remains.
}
addEventListener('change', (event) => {
	if (!event.target.matches('input[data-choice]')) return;
	choose(event.target.value);
	try {
		localStorage.setItem(KEY, event.target.value);
	} catch {
		// As above.
	}
});
