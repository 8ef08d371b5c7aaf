/** Where the widget comes from. Its origin is let in by the policy of the page that has it. */
export const CHALLENGE_ORIGIN = 'https://challenges.cloudflare.com';
/** The field that the widget adds to the form around it. */
export const CHALLENGE_FIELD = 'cf-turnstile-response';

/** Asks for a person: Cloudflare's widget, which mostly asks for nothing. It needs a script. */
export function Challenge({ siteKey }: { readonly siteKey: string }) {
	return (
		<>
			<div class="cf-turnstile" data-sitekey={siteKey} data-action="sign-in"></div>
			<noscript>
				<p>This check needs JavaScript. In a browser where you signed in before, it is not asked for.</p>
			</noscript>
			<script src={`${CHALLENGE_ORIGIN}/turnstile/v0/api.js`} async defer></script>
		</>
	);
}
