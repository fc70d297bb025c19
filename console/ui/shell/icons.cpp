#include "console/ui/shell/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace fremis::console::ui {
namespace {

QByteArray source(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class ThemedIcon final : public QIconEngine {
public:
    explicit ThemedIcon(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const int size = std::min(rect.width(), rect.height());
        const QPixmap pixmap = iconPixmap(m_name, color(mode), size, painter->device()->devicePixelRatioF());
        painter->drawPixmap(rect.left() + (rect.width() - size) / 2, rect.top() + (rect.height() - size) / 2, pixmap);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        return iconPixmap(m_name, color(mode), std::min(size.width(), size.height()), 1);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
        QPixmap result = iconPixmap(m_name, color(mode), int(std::min(size.width(), size.height()) / scale), scale);
        return result;
    }
    QIconEngine* clone() const override { return new ThemedIcon(*this); }
    QString key() const override { return QStringLiteral("fremis-themed"); }

private:
    static QColor color(QIcon::Mode mode) {
        const QPalette palette = QApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::ButtonText);
        return palette.color(mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText);
    }
    QString m_name;
};

} // namespace

QIcon icon(const QString& name) {
    return QIcon(new ThemedIcon(name));
}

QPixmap iconPixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio) {
    const QString key = QStringLiteral("%1/%2/%3/%4").arg(name, color.name()).arg(size).arg(devicePixelRatio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    pixmap = QPixmap(QSize(size, size) * devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(source(name).replace("currentColor", color.name().toLatin1()));
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

} // namespace fremis::console::ui
