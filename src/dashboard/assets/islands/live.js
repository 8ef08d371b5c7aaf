// Live progress: renews a part of the page until that says that nothing will change any more, and then the rest of it.
const SECONDS_MIN = 2;
const SECONDS_MAX = 15;

for (const region of document.querySelectorAll('[data-live]:not([data-done])')) void follow(region);

async function follow(region) {
	const soonest = Number(region.dataset.every ?? SECONDS_MIN);
	let seconds = soonest;
	let announced = '';
	let drawn = region.innerHTML;
	for (;;) {
		await pause(seconds);
		const page = await ask(region.dataset.live);
		const fresh = page?.querySelector('[data-live]') ?? null;
		lost(region, fresh === null);
		if (fresh === null) {
			seconds = Math.min(SECONDS_MAX, seconds * 2);
			continue;
		}
		if (fresh.innerHTML === drawn) {
			seconds = Math.min(SECONDS_MAX, seconds * 1.5);
		} else {
			drawn = fresh.innerHTML;
			renewContent(region, fresh);
			seconds = soonest;
		}
		const { title } = fresh.dataset;
		if (title) document.title = title;
		const news = fresh.dataset.says ?? '';
		const speaker = document.getElementById('live-says');
		if (speaker && news !== announced) speaker.textContent = announced = news;
		if (fresh.dataset.done === undefined) {
			document.dispatchEvent(new Event('renewed'));
			continue;
		}
		if (region.dataset.reload !== undefined) await arrive();
		document.dispatchEvent(new Event('renewed'));
		return;
	}
}

// A control whose change shows at once: its form is sent, and the page becomes the answer.
let changes = 0;
addEventListener('change', ({ target }) => {
	if (target.dataset?.renews) void renewPage(target);
});

async function renewPage({ form, dataset }) {
	const change = (changes += 1);
	const main = document.querySelector('main');
	main.setAttribute('aria-busy', 'true');
	const body = new URLSearchParams(new FormData(form));
	const { page, address } = await answerTo(dataset.renews, { method: 'POST', body });
	// A later change has a later answer.
	if (change !== changes) return;
	main.removeAttribute('aria-busy');
	const fresh = page?.querySelector('main') ?? null;
	if (fresh === null) {
		// The browser shows what is wrong.
		form.action = dataset.renews;
		return form.submit();
	}
	history.replaceState(null, '', address);
	renewContent(main, fresh);
	for (const control of main.querySelectorAll('[data-renews]')) {
		if (control.options) for (const one of control.options) one.selected = one.defaultSelected;
		else control.checked = control.defaultChecked;
	}
	const speaker = document.getElementById('live-says');
	if (speaker) speaker.textContent = main.querySelector('[data-says]')?.dataset.says ?? '';
}

async function answerTo(to, request) {
	try {
		const response = await fetch(to, { ...request, headers: { accept: 'text/html' } });
		if (!response.ok && response.status !== 422) return {};
		const page = new DOMParser().parseFromString(await response.text(), 'text/html');
		return { page, address: response.url };
	} catch {
		return {};
	}
}

/** Says on the page that nothing new arrives, until something does. */
function lost(region, is) {
	const id = 'live-lost';
	const notice = document.getElementById(id);
	if (!is) notice?.remove();
	if (!is || notice !== null) return;
	const words = 'No connection: these figures may be old. The work goes on, and this page keeps trying.';
	region.before(
		Object.assign(document.createElement('p'), {
			id,
			className: 'notice ink-risky',
			textContent: words,
			role: 'status',
		}),
	);
}

/** The rest of the page has changed too: what is new comes in where it belongs, and nothing else moves. */
async function arrive() {
	const page = await ask(location.href);
	const main = page?.querySelector('main') ?? null;
	if (main === null) return location.reload();
	document.title = page.title;
	renewContent(document.querySelector('main'), main);
	for (const { src } of page.querySelectorAll('script[type=module]')) {
		if ([...document.scripts].some((script) => script.src === src)) continue;
		document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
	}
}

/** Makes the content of one element that of another. Equal parts stay, with their focus and selection. */
function renewContent(old, fresh) {
	const before = [...old.childNodes];
	for (const [index, node] of [...fresh.childNodes].entries()) {
		if (index >= before.length) old.append(arriving(node));
		else renew(before[index], node);
	}
	for (const node of before.slice(fresh.childNodes.length)) node.remove();
}

// The identity of an element, so that text typed into a field never turns up in another.
const NAMES = ['id', 'name', 'action', 'aria-labelledby', 'data-live'];

function isSame(old, fresh) {
	if (old.nodeName !== fresh.nodeName) return false;
	return (
		old.nodeType !== Node.ELEMENT_NODE ||
		NAMES.every((name) => old.getAttribute(name) === fresh.getAttribute(name))
	);
}

function renew(old, fresh) {
	if (!isSame(old, fresh)) {
		old.replaceWith(arriving(fresh));
	} else if (old.nodeType !== Node.ELEMENT_NODE) {
		if (old.data !== fresh.data) old.data = fresh.data;
	} else if (old.id !== 'live-says') {
		renewAttributes(old, fresh);
		renewContent(old, fresh);
	}
}

// Whether a fold or a dialog is open is up to the person.
const KEPT = 'open';

function renewAttributes(old, fresh) {
	for (const name of old.getAttributeNames())
		if (name !== KEPT && !fresh.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of fresh.attributes)
		if (name !== KEPT && old.getAttribute(name) !== value) old.setAttribute(name, value);
}

function arriving(node) {
	const copy = document.importNode(node, true);
	if (copy.nodeType === Node.ELEMENT_NODE) copy.classList.add('arrives');
	return copy;
}

async function ask(address) {
	try {
		const response = await fetch(address, { headers: { accept: 'text/html' } });
		if (!response.ok || response.redirected) return null;
		return new DOMParser().parseFromString(await response.text(), 'text/html');
	} catch {
		return null;
	}
}

/** Waits, and longer while the page is hidden. */
async function pause(seconds) {
	await new Promise((resolve) => {
		setTimeout(resolve, seconds * 1_000);
	});
	if (!document.hidden) return;
	await new Promise((resolve) => {
		document.addEventListener('visibilitychange', resolve, { once: true });
	});
}
