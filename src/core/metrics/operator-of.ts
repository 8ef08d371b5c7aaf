/** The fields of a result about the operator of the domain's mail. */
export interface MailServer {
	readonly gateway: string | null;
	readonly smtpProvider: string | null;
	readonly mxRecord: string | null;
	readonly implicitMx: string | null;
}

/**
 * The operator's word in metrics: the gateway's if there is one, `other` for an unknown operator, `none` without
 * mail.
 */
export function operatorOf({ gateway, smtpProvider, mxRecord, implicitMx }: MailServer): string {
	return gateway ?? smtpProvider ?? (mxRecord === null && implicitMx === null ? 'none' : 'other');
}
