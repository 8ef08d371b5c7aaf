// While a stranger fills in the form, the browser works for a place among all who sign in: it looks for a number whose
// digest with the form's token begins with zeros. Without it the form works, too, unless there is a crowd.
const encoder = new TextEncoder();

const digestOf = async (text) => {
	const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
	return Array.from(digest.subarray(0, 4), (octet) => octet.toString(16).padStart(2, '0')).join('');
};

const work = async (form) => {
	const zeros = '0'.repeat(Number(form.dataset.work));
	const challenge = form.elements.namedItem('csrf')?.value ?? '';
	let number = 0;
	while (!(await digestOf(`${challenge} ${number}`)).startsWith(zeros)) number += 1;
	const field = document.createElement('input');
	Object.assign(field, { type: 'hidden', name: 'work', value: String(number) });
	form.append(field);
};

for (const form of document.querySelectorAll('form[data-work]')) void work(form);
