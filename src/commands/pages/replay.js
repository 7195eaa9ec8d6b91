const slider = document.getElementById("at");
const links = [...document.querySelectorAll(".log a")];
const steps = [...document.querySelectorAll(".step")];
const last = steps.length - 1;
function show(step) {
  const at = Math.max(0, Math.min(last, step));
  steps.forEach((section, number) => (section.hidden = number !== at));
  links.forEach((link, number) => link.toggleAttribute("aria-current", number === at));
  slider.value = at;
  document.getElementById("number").value = at + " / " + last;
  history.replaceState(null, "", "#s" + at);
  const log = document.querySelector(".log");
  const line = links[at].parentElement;
  log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
}
const now = () => Number(slider.value);
slider.addEventListener("input", () => show(now()));
document.getElementById("back").addEventListener("click", () => show(now() - 1));
document.getElementById("on").addEventListener("click", () => show(now() + 1));
links.forEach((link, number) =>
  link.addEventListener("click", (event) => {
    event.preventDefault();
    show(number);
  }),
);
document.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: now() - 1, ArrowRight: now() + 1, Home: 0, End: last }[event.key];
  if (way === undefined || event.target === slider) return;
  event.preventDefault();
  show(way);
});
show(Number((location.hash.match(/^#s(\d+)$/) || [])[1] || 0));
