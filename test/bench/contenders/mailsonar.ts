import { callApi } from '../../../tools/api-client.ts';
import type { Service } from '../../../tools/api-client.ts';
import type { Answer, Contender } from './contender.ts';

interface Verification {
	readonly status: string;
	readonly details: { readonly attributes: { readonly catch_all: boolean | null } };
}

/** Ourselves, as a customer meets us: POST /v1/verify over HTTP. */
export class Mailsonar implements Contender {
	readonly #service: Service;

	constructor(service: Service) {
		this.#service = service;
	}

	async ask(email: string): Promise<Answer> {
		const { data } = await callApi<Verification>(this.#service, 'POST', '/v1/verify', { email });
		if (data.details.attributes.catch_all === true) return 'catch_all';
		if (data.status === 'deliverable') return 'valid';
		return data.status === 'undeliverable' ? 'invalid' : 'unsure';
	}
}
