// Finds while one types, in the dialog of the docs. The form also works by itself.
const QUIET_MS = 150;
const link = document.querySelector('a[data-dialog="docs-search"]');
const dialog = document.getElementById('docs-search');
const field = dialog?.querySelector('input[name="q"]');
const results = dialog?.querySelector('[data-search-results]');
let timer = 0;
let asked = 0;

async function find(query) {
	const turn = (asked += 1);
	try {
		const response = await fetch(`/docs/search?part&q=${encodeURIComponent(query)}`);
		if (!response.ok || turn !== asked) return;
		const page = new DOMParser().parseFromString(await response.text(), 'text/html');
		results.replaceChildren(...page.body.childNodes);
	} catch {
		// The form's button is still there.
	}
}

field?.addEventListener('input', () => {
	clearTimeout(timer);
	timer = setTimeout(() => void find(field.value.trim()), QUIET_MS);
});
// A link of this page only moves it, behind the dialog.
results?.addEventListener('click', (event) => {
	if (event.target.closest('a')) dialog.close();
});
addEventListener('keydown', (event) => {
	const isTyping = event.target.closest?.('input, textarea, select') !== null;
	const isAsked = event.key === '/' ? !isTyping : event.key === 'k' && (event.ctrlKey || event.metaKey);
	if (!isAsked || dialog === null || dialog.open) return;
	event.preventDefault();
	link.click();
});
// The navigation is longer than most windows: it shows where one is, and the page stays where it was.
const side = document.querySelector('.docs-side');
const here = side?.querySelector('.docs-nav [aria-current]');
if (here && here.offsetTop > side.clientHeight - 48) side.scrollTop = here.offsetTop - side.clientHeight / 2;
