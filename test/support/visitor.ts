import { randomInt } from 'node:crypto';

// A minimal browser: it keeps cookies, sends forms as pages rendered them, and does not follow redirects.

export interface Page {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** Where a redirect leads, as a path. */
	readonly location: string | null;
}

export class Visitor {
	readonly cookies = new Map<string, string>();
	/** An IP address in a network of its own, since attempts are counted by networks. */
	readonly client: string;
	readonly url: string;

	constructor(url: string, client?: string) {
		this.url = url;
		this.client = client ?? `10.${randomInt(256)}.${randomInt(256)}.1`;
	}

	async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
		return this.#request(path, { headers });
	}

	/** Loads a page and submits its form with these fields and the form's hidden ones. */
	async submit(path: string, fields: Readonly<Record<string, string>>, action = path): Promise<Page> {
		return this.post(action, { ...hiddenFields(await this.get(path), action), ...fields });
	}

	/** Posts fields as our own forms are posted. */
	async post(
		path: string,
		fields: Readonly<Record<string, string>>,
		headers: Readonly<Record<string, string>> = {},
	): Promise<Page> {
		const body = new URLSearchParams(fields).toString();
		const type = { 'content-type': 'application/x-www-form-urlencoded' };
		const ours = { origin: new URL(this.url).origin, 'sec-fetch-site': 'same-origin' };
		return this.#request(path, { method: 'POST', body, headers: { ...type, ...ours, ...headers } });
	}

	/** Uploads a file through the form of a page. */
	async upload(path: string, field: string, file: File): Promise<Page> {
		const form = new FormData();
		for (const [name, value] of Object.entries(hiddenFields(await this.get(path), path)))
			form.set(name, value);
		form.set(field, file);
		const ours = { origin: new URL(this.url).origin, 'sec-fetch-site': 'same-origin' };
		return this.#request(path, { method: 'POST', body: form, headers: ours });
	}

	async #request(
		path: string,
		{
			headers,
			...init
		}: { headers: Readonly<Record<string, string>>; method?: string; body?: string | FormData },
	): Promise<Page> {
		const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const response = await fetch(new URL(path, this.url), {
			...init,
			redirect: 'manual',
			headers: {
				'cf-connecting-ip': this.client,
				accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
				'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
				...(cookie === '' ? {} : { cookie }),
				...headers,
			},
		});
		for (const line of response.headers.getSetCookie()) this.#keep(line);
		const location = response.headers.get('location');
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, location };
	}

	#keep(line: string): void {
		const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
		if (/max-age=0/i.test(line)) this.cookies.delete(name);
		else this.cookies.set(name, value);
	}
}

/** The hidden fields of the form that is sent to a path. */
export function hiddenFields(page: Page, action: string): Record<string, string> {
	const form = page.text
		.split('<form')
		.slice(1)
		.map((part) => part.slice(0, part.indexOf('</form>')))
		.find((part) => part.includes(`action="${action}"`));
	if (form === undefined)
		throw new Error(`There is no form for ${action} on a page that is a ${page.status}`);
	const inputs = [...form.matchAll(/<input type="hidden"[^>]*>/g)].map(([input]) => input);
	return Object.fromEntries(inputs.map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]));
}

function attributeOf(input: string, name: string): string {
	return new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1] ?? '';
}
