import { ServiceError } from '../errors.ts';
import type { Mail, Mailer } from '../operations/people/port.ts';

/** The part of Cloudflare's `send_email` binding that we use. */
export interface MailBinding {
	send(mail: { from: string; to: string; subject: string; text: string; html?: string }): Promise<unknown>;
}

/** Sends mail by Cloudflare's Email Service, for which the operator has onboarded the sending domain. */
export class CloudflareMailer implements Mailer {
	readonly #binding: MailBinding;
	readonly #sender: string | null;

	constructor(binding: MailBinding, sender: string | null) {
		this.#binding = binding;
		this.#sender = sender;
	}

	requireReady(): void {
		this.#requireSender();
	}

	async send({ to, subject, text, html }: Mail): Promise<void> {
		const from = this.#requireSender();
		await this.#binding.send({ from, to, subject, text, ...(html === undefined ? {} : { html }) });
	}

	#requireSender(): string {
		if (this.#sender !== null) return this.#sender;
		throw new ServiceError('upstream_unavailable', 'Mail cannot be sent: MAIL_SENDER is not configured');
	}
}
