/** The sparkles over the picture. */

/** The number of sparkles on a white picture. */
const maxSparkles = 120;
/** The lifetime of a sparkle, in milliseconds. */
const shortest = 700;
const longest = 1_900;

/**
 * Sparkles over the live picture: the brighter the scene, the more of them, as on a vampire in the sun.
 *
 * Nothing runs while they are off. They stand still for users who prefer reduced motion.
 */
export class Sparkles {
  #canvas;
  #brightness = 0;
  #isOn = false;
  #sparkles = [];
  #request = 0;
  #stillness = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    document.addEventListener("visibilitychange", () => this.#update());
    this.#stillness.addEventListener("change", () => this.#update());
  }

  /** The number of sparkles on the canvas. */
  get count() {
    return this.#sparkles.length;
  }

  set isOn(isOn) {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.#update();
  }

  /** @param {number | null} brightness 0...1; null if there is no reading, and so no sparkle. */
  set brightness(brightness) {
    this.#brightness = brightness ?? 0;
    if (this.#isOn && this.#stillness.matches) this.#update();
  }

  #update() {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.#canvas.hidden = !this.#isOn;
    if (!this.#isOn) {
      this.#sparkles = [];
    } else if (this.#stillness.matches) {
      this.#drawStill();
    } else if (document.visibilityState === "visible") {
      this.#request = requestAnimationFrame((now) => this.#animate(now));
    }
    this.#canvas.dataset.count = String(this.count);
  }

  #animate(now) {
    this.#sparkles = this.#sparkles.filter((sparkle) => now < sparkle.end);
    const wanted = Math.round(maxSparkles * this.#brightness);
    // A few are added at a time, so that they do not glitter in step.
    for (let left = Math.min(wanted - this.count, 6); left > 0; left--) this.#sparkles.push(makeSparkle(now));
    if (this.count > wanted) this.#sparkles.length = wanted;
    this.#draw((sparkle) => Math.sin((Math.PI * (now - sparkle.start)) / (sparkle.end - sparkle.start)));
    this.#canvas.dataset.count = String(this.count);
    this.#request = requestAnimationFrame((next) => this.#animate(next));
  }

  #drawStill() {
    const wanted = Math.round(maxSparkles * this.#brightness);
    this.#sparkles.length = Math.min(this.count, wanted);
    while (this.count < wanted) this.#sparkles.push(makeSparkle(0));
    this.#draw(() => 0.8);
  }

  #draw(glow) {
    const scale = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (this.#canvas.width !== width * scale) this.#canvas.width = width * scale;
    if (this.#canvas.height !== height * scale) this.#canvas.height = height * scale;
    const context = this.#canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = "#FFFFFF";
    context.shadowColor = "#FFF2B0";
    context.shadowBlur = 6;
    for (const sparkle of this.#sparkles) {
      const size = sparkle.size * Math.min(width, height) * glow(sparkle);
      star(context, sparkle.x * width, sparkle.y * height, size);
    }
  }
}

function makeSparkle(now) {
  const life = shortest + Math.random() * (longest - shortest);
  return { x: Math.random(), y: Math.random(), size: 0.012 + Math.random() * 0.03, start: now, end: now + life };
}

/** Draws a star with four slender points. */
function star(context, x, y, size) {
  context.beginPath();
  for (let corner = 0; corner < 8; corner++) {
    const radius = corner % 2 === 0 ? size : size * 0.16;
    const angle = (corner * Math.PI) / 4;
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  context.fill();
}
