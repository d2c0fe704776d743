// The player as a widget: a new film is loaded into it, and where it stands is told when it stops.
export default {
  render({ model, el }) {
    const player = play(el, model.get("film"), { height: model.get("height"), autoplay: model.get("playing") });
    if (!model.get("playing")) player.seek(model.get("time"));
    const film = () => player.load(model.get("film"));
    const time = () => { if (model.get("time") !== player.time) player.seek(model.get("time")); };
    const playing = () => (model.get("playing") ? player.resume() : player.pause());
    const tell = () => { model.set("time", player.time); model.set("playing", player.playing); model.save_changes(); };
    const acts = { "change:film": film, "change:time": time, "change:playing": playing };
    for (const [kind, act] of Object.entries(acts)) model.on(kind, act);
    for (const kind of ["click", "change", "keyup"]) el.addEventListener(kind, tell);
    return () => { for (const [kind, act] of Object.entries(acts)) model.off(kind, act); player.destroy(); };
  },
};
