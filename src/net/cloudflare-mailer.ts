import type { Metrics } from '../core/metrics/metrics.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { Mail, Mailer } from '../operations/people/port.ts';

type SentMail = Parameters<MailBinding['send']>[0];

/** The part of Cloudflare's `send_email` binding that we use. */
export interface MailBinding {
	send(mail: {
		from: string;
		to: string;
		subject: string;
		text: string;
		html?: string;
		headers?: Record<string, string>;
	}): Promise<unknown>;
}

/** Sends mail by Cloudflare's Email Service, for which the operator has onboarded the sending domain. */
export class CloudflareMailer implements Mailer {
	readonly #binding: MailBinding;
	readonly #sender: string | null;
	readonly #metrics: Metrics;

	constructor(binding: MailBinding, sender: string | null, metrics: Metrics) {
		this.#binding = binding;
		this.#sender = sender;
		this.#metrics = metrics;
	}

	requireReady(): void {
		this.#requireSender();
	}

	async send({ to, subject, text, html, headers }: Mail): Promise<void> {
		try {
			const from = this.#requireSender();
			const mail = { from, to, subject, text, ...(html === undefined ? {} : { html }) };
			if (headers === undefined) await this.#binding.send(mail);
			else await this.#sendWith(headers, mail);
		} catch (error) {
			const code = codeOf(error);
			log('mail_not_sent', { code, ...describeError(error) });
			this.#metrics.note('mail', { outcome: 'not_sent', code, count: 1 });
			throw error;
		}
		this.#metrics.note('mail', { outcome: 'sent', code: 'none', count: 1 });
	}

	/**
	 * The platform refuses headers that are not on its list (`E_HEADER_NOT_ALLOWED`), and the list changes. No mail depends
	 * on one.
	 */
	async #sendWith(headers: NonNullable<Mail['headers']>, mail: SentMail): Promise<void> {
		try {
			await this.#binding.send({ ...mail, headers });
		} catch (error) {
			if (codeOf(error) !== 'E_HEADER_NOT_ALLOWED') throw error;
			await this.#binding.send(mail);
		}
	}

	#requireSender(): string {
		if (this.#sender !== null) return this.#sender;
		throw new ServiceError('upstream_unavailable', 'Mail cannot be sent: MAIL_SENDER is not configured');
	}
}

/** The platform's word for what is wrong (`E_SENDER_NOT_VERIFIED`), or ours. */
function codeOf(error: unknown): string {
	const { code } = (error ?? {}) as { readonly code?: unknown };
	return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown';
}
