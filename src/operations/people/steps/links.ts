/** The URL of a link in a mail. `base` is our public URL, never a request's Host. */
export function pageLink(base: string, page: DashboardPage, token?: string): string {
	const url = new URL(`/dashboard/${page}`, base);
	if (token !== undefined) url.searchParams.set('token', token);
	return url.href;
}

/** Pages that mails lead to. */
export type DashboardPage = 'confirm' | 'reset-password' | 'forgotten-password' | 'sign-in';
