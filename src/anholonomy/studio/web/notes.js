// What is said at the top of the page: how saving goes, and what needs an answer.
const status = document.getElementById("status"), notice = document.getElementById("notice");

export const say = text => { if (status.textContent !== text) status.textContent = text; };

export function tell(text, ...buttons) {
  notice.hidden = !text;
  notice.replaceChildren(text || "", ...buttons);
}
