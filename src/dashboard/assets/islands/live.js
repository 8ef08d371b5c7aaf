// Live progress: renews a part of the page until that says that nothing will change any more.
const SECONDS_MIN = 2;
const SECONDS_MAX = 15;

for (const region of document.querySelectorAll('[data-live]:not([data-done])')) void follow(region);

async function follow(region) {
	let seconds = SECONDS_MIN;
	let drawn = region.innerHTML;
	for (;;) {
		await pause(seconds);
		const fresh = await ask(region.dataset.live);
		lost(region, fresh === null);
		const isNews = fresh !== null && fresh.innerHTML !== drawn;
		seconds = isNews ? SECONDS_MIN : Math.min(SECONDS_MAX, seconds * 1.5);
		// Nothing moves under a finger that is on it.
		if (fresh === null || region.contains(document.activeElement)) continue;
		if (isNews) {
			const open = [...region.querySelectorAll('details')].map((fold) => fold.open);
			drawn = fresh.innerHTML;
			region.innerHTML = drawn;
			for (const [at, fold] of region.querySelectorAll('details').entries())
				fold.open = open[at] ?? fold.open;
		}
		const { title, says = '', done } = fresh.dataset;
		if (title) document.title = title;
		const speaker = document.getElementById('live-says');
		if (speaker && speaker.textContent !== says) speaker.textContent = says;
		if (done === undefined) continue;
		if (region.dataset.reload === undefined) return;
		while (document.activeElement?.matches('input, select, textarea')) await pause(SECONDS_MIN);
		return location.reload();
	}
}

/** Says on the page that nothing new arrives, until something does. */
function lost(region, is) {
	const notice = document.getElementById('live-lost');
	if (!is) notice?.remove();
	if (!is || notice !== null) return;
	const words = 'No connection: these figures may be old. The work goes on, and this page keeps trying.';
	region.insertAdjacentHTML(
		'beforebegin',
		`<p id="live-lost" class="notice ink-risky" role="status">${words}</p>`,
	);
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
