// Searches while one types, in a dialog that Ctrl+K, on a Mac Command+K, or a slash opens. The form also works by itself.
const QUIET_MS = 150;
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const link = document.querySelector('a[data-dialog="search"]');
const dialog = document.getElementById('search');
const form = dialog?.querySelector('form');
const field = dialog?.querySelector('input[name="q"]');
const results = dialog?.querySelector('[data-search-results]');
let timer = 0;
let turn = 0;
let answered = null;

async function find() {
	const query = field.value.trim();
	const mine = (turn += 1);
	try {
		const response = await fetch(`${form.action}?part&q=${encodeURIComponent(query)}`);
		if (!response.ok || mine !== turn) return;
		const page = new DOMParser().parseFromString(await response.text(), 'text/html');
		results.replaceChildren(...page.body.childNodes);
		answered = query;
	} catch {
		// The form's button is still there.
	}
}

for (const key of document.querySelectorAll('kbd[data-opens]')) if (IS_MAC) key.textContent = '⌘ K';
link?.addEventListener('click', () => void find());
field?.addEventListener('input', () => {
	clearTimeout(timer);
	timer = setTimeout(() => void find(), QUIET_MS);
});
// Enter follows the first result, once the results are those of what was typed.
form?.addEventListener('submit', (event) => {
	const first = answered === field.value.trim() ? results.querySelector('a') : null;
	if (first === null) return;
	event.preventDefault();
	first.click();
});
dialog?.addEventListener('keydown', (event) => {
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (step === undefined) return;
	const stops = [field, ...results.querySelectorAll('a')];
	const next = stops[stops.indexOf(document.activeElement) + step];
	if (next === undefined) return;
	event.preventDefault();
	next.focus();
});
// A link of this page only moves it, behind the dialog.
results?.addEventListener('click', (event) => {
	if (event.target.closest('a')) dialog.close();
});
addEventListener('keydown', (event) => {
	const isTyping = event.target.closest?.('input, textarea, select') !== null;
	const isAsked = event.key === '/' ? !isTyping : event.key === 'k' && (event.ctrlKey || event.metaKey);
	if (!isAsked || !dialog || dialog.open) return;
	event.preventDefault();
	link.click();
});
