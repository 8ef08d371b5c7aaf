// Live progress: reloads a part of the page until that says that nothing will change any more.
const SECONDS_MIN = 2;
const SECONDS_MAX = 15;

for (const region of document.querySelectorAll('[data-live]:not([data-done])')) void follow(region);

async function follow(region) {
	let seconds = SECONDS_MIN;
	let said = '';
	for (;;) {
		await pause(seconds);
		const fresh = await ask(region.dataset.live);
		if (fresh === null) {
			seconds = Math.min(SECONDS_MAX, seconds * 2);
			continue;
		}
		// Replaced only if something changed, to keep a selection or the focus.
		if (fresh.innerHTML !== region.innerHTML) {
			region.replaceChildren(...fresh.childNodes);
			seconds = SECONDS_MIN;
		} else {
			seconds = Math.min(SECONDS_MAX, seconds * 1.5);
		}
		const news = fresh.dataset.says ?? '';
		const speaker = document.getElementById('live-says');
		if (speaker && news !== said) speaker.textContent = said = news;
		if (fresh.dataset.done === undefined) continue;
		// The rest of the page has changed, too.
		if (region.dataset.reload !== undefined) location.reload();
		return;
	}
}

async function ask(address) {
	try {
		const response = await fetch(address, { headers: { accept: 'text/html' } });
		if (!response.ok || response.redirected) return null;
		const page = new DOMParser().parseFromString(await response.text(), 'text/html');
		return page.querySelector('[data-live]');
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
