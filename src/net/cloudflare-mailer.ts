import type { Metrics } from '../core/metrics/metrics.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { Mail, Mailer } from '../operations/people/port.ts';

type SentMail = Pick<Mail, 'to' | 'subject' | 'text'> & { from: string; headers?: Record<string, string> };

/** The part of Cloudflare's `send_email` binding that we use. */
export interface MailBinding {
	send(mail: SentMail): Promise<unknown>;
}

/**
 * Sends mail by Cloudflare's Email Service, for which the operator has onboarded the sending domain.
 *
 * @param sender null: not configured
 */
export function cloudflareMailer(binding: MailBinding, sender: string | null, metrics: Metrics): Mailer {
	const requireSender = (): string => {
		if (sender !== null) return sender;
		throw new ServiceError('upstream_unavailable', 'Mail cannot be sent: MAIL_SENDER is not configured');
	};
	return {
		requireReady: () => void requireSender(),
		send: async ({ headers, ...mail }: Mail): Promise<void> => {
			try {
				const sent = { from: requireSender(), ...mail };
				await binding.send(headers === undefined ? sent : { ...sent, headers }).catch((error: unknown) => {
					// The platform refuses headers that are not on its list, and the list changes. No mail depends on one.
					if (codeOf(error) !== 'E_HEADER_NOT_ALLOWED') throw error;
					return binding.send(sent);
				});
			} catch (error) {
				const code = codeOf(error);
				log('mail_not_sent', { code, ...describeError(error) });
				metrics.note('mail', { outcome: 'not_sent', code, count: 1 });
				throw error;
			}
			metrics.note('mail', { outcome: 'sent', code: 'none', count: 1 });
		},
	};
}

/** The platform's word for what is wrong (`E_SENDER_NOT_VERIFIED`), or ours. */
function codeOf(error: unknown): string {
	const { code } = (error ?? {}) as { readonly code?: unknown };
	return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : 'unknown';
}
