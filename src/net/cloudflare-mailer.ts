import { ServiceError } from '../errors.ts';
import type { Mail, Mailer } from '../operations/people/port.ts';

/** The part of Cloudflare's `send_email` binding that we use. */
export interface MailBinding {
	send(mail: { from: string; to: string; subject: string; text: string }): Promise<unknown>;
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

	async send({ to, subject, text }: Mail): Promise<void> {
		await this.#binding.send({ from: this.#requireSender(), to, subject, text });
	}

	#requireSender(): string {
		if (this.#sender !== null) return this.#sender;
		throw new ServiceError('upstream_unavailable', 'Mail cannot be sent: MAIL_SENDER is not configured');
	}
}
