/** What a result says of who runs the domain's mail. */
export interface MailServer {
	readonly gateway: string | null;
	readonly smtpProvider: string | null;
	readonly mxRecord: string | null;
	readonly implicitMx: string | null;
}

/** An operator's word in points: the gateway's if there is one, `other` for one that we do not know, `none` without mail. */
export function operatorOf({ gateway, smtpProvider, mxRecord, implicitMx }: MailServer): string {
	return gateway ?? smtpProvider ?? (mxRecord === null && implicitMx === null ? 'none' : 'other');
}
