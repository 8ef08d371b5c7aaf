// A message about the last action leaves by itself, or when the person dismisses it. The style sheet puts it into a corner.
const SHOWN_MS = 10_000;

for (const toast of document.querySelectorAll('[data-toast]')) {
	const body = toast.querySelector('.body');
	const dismiss = toast.querySelector('[data-dismiss]');
	// Whatever becomes of the page, this stays until it leaves.
	document.body.append(toast);
	// A live region tells only what changes in it.
	const words = [...body.childNodes];
	body.replaceChildren();
	requestAnimationFrame(() => body.append(...words));

	let timer = 0;
	const leave = async () => {
		clearTimeout(timer);
		toast.classList.add('leaving');
		await Promise.allSettled(toast.getAnimations().map(({ finished }) => finished));
		toast.remove();
	};
	const stay = () => clearTimeout(timer);
	const wait = () => {
		stay();
		timer = setTimeout(() => void leave(), SHOWN_MS);
	};
	dismiss.hidden = false;
	dismiss.addEventListener('click', () => void leave());
	for (const name of ['pointerenter', 'focusin']) toast.addEventListener(name, stay);
	for (const name of ['pointerleave', 'focusout']) toast.addEventListener(name, wait);
	wait();
}
