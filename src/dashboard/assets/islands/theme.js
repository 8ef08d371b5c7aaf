// The theme switch works as a form; this script changes the theme without a reload.
for (const form of document.querySelectorAll('form[data-theme-form]')) {
	form.addEventListener('submit', (event) => {
		const theme = event.submitter?.value;
		if (!theme) return;
		event.preventDefault();
		if (theme === 'system') delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = theme;
		for (const button of document.querySelectorAll('form[data-theme-form] button')) {
			button.setAttribute('aria-pressed', String(button.value === theme));
		}
		const secure = location.protocol === 'https:' ? '; Secure' : '';
		document.cookie = `theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
	});
}
