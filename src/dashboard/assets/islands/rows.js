// A row opens in a panel beside the others, under the address of the page that it is without this script. Arrow keys move
// from row to row.
const panel = Object.assign(document.createElement('dialog'), { className: 'side-panel' });
panel.setAttribute('aria-label', 'One row');
document.body.append(panel);

let place = null;
let before = null;

const links = () => [...document.querySelectorAll('main a[data-row]')];

addEventListener('click', (event) => {
	if (event.ctrlKey || event.metaKey || event.shiftKey) return;
	const { target } = event;
	const link = target.closest('a[data-row]');
	const move = target.closest('.side-panel a[rel]');
	if (link !== null) {
		event.preventDefault();
		void open(link, 'pushState');
	} else if (move !== null) {
		event.preventDefault();
		go(move.rel === 'next' ? 1 : -1);
	} else if (target === panel) panel.close();
	if (target.closest('.chip') === null)
		for (const chip of document.querySelectorAll('.chip[open]')) chip.open = false;
});

addEventListener('keydown', (event) => {
	const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
	if (step === undefined || event.target.matches('input, textarea, select, pre')) return;
	if (panel.open) {
		event.preventDefault();
		go(step);
	} else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
		// On the page of a row.
		document.querySelector(`[data-panel] a[rel=${step < 0 ? 'prev' : 'next'}]`)?.click();
	}
});

function go(step) {
	const all = links();
	const next = all[all.findIndex((one) => one.href === place) + step];
	if (next !== undefined) void open(next, 'replaceState');
}

async function open(link, how) {
	place = link.href;
	const page = await ask(place);
	const content = page?.querySelector('[data-panel]') ?? null;
	if (content === null) return location.assign(place);
	// A later key has a later row.
	if (place !== link.href) return;
	if (how === 'pushState') before = document.title;
	history[how](how === 'pushState' ? { row: true } : history.state, '', place);
	document.title = page.title;
	const all = links();
	const at = all.indexOf(link);
	for (const [rel, is] of [
		['prev', at > 0],
		['next', at < all.length - 1],
	])
		content.querySelector(`a[rel=${rel}]`)?.toggleAttribute('hidden', !is);
	panel.replaceChildren(closer(), document.importNode(content, true));
	for (const one of all) one.closest('tr').toggleAttribute('data-current', one === link);
	link.scrollIntoView({ block: 'nearest' });
	if (!panel.open) panel.showModal();
	document.dispatchEvent(new Event('renewed'));
}

function closer() {
	const button = Object.assign(document.createElement('button'), {
		type: 'button',
		className: 'button button-quiet button-small',
		textContent: 'Close',
		autofocus: true,
	});
	button.addEventListener('click', () => panel.close());
	return button;
}

panel.addEventListener('close', () => {
	const link = links().find((one) => one.href === place);
	place = null;
	document.title = before;
	link?.focus();
	// The way back is the one that the browser knows.
	if (history.state?.row) history.back();
});

addEventListener('popstate', ({ state }) => {
	const link = links().find((one) => one.href === location.href);
	if (state?.row && link !== undefined) void open(link, 'replaceState');
	else if (panel.open) panel.close();
});

async function ask(address) {
	try {
		const response = await fetch(address, { headers: { accept: 'text/html' } });
		if (!response.ok || response.redirected) return null;
		return new DOMParser().parseFromString(await response.text(), 'text/html');
	} catch {
		return null;
	}
}
